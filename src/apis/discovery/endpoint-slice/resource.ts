import type { ApiContext } from "../../definition/api-context.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { EndpointSlice } from "../../gen/discovery-v1.js";
import type { EndpointSlice as EndpointSliceV1beta1 } from "../../gen/discovery-v1beta1.js";
import { endpointSliceColumns } from "./columns.js";
import { endpointSliceConversion } from "./conversion.js";
import { setEndpointSliceDefaults } from "./defaults.js";
import { endpointSliceStrategy } from "./strategy.js";

export function endpointSlices(context: ApiContext): ResourceDefinition<EndpointSlice> {
  const group = context.naming.group("discovery");
  return defineResource<EndpointSlice>({
    group,
    resource: "endpointslices",
    kind: "EndpointSlice",
    namespaced: true,
    versions: [
      hub<EndpointSlice>(context, {
        version: "v1",
        type: "discovery/v1.EndpointSlice",
        setDefaults: setEndpointSliceDefaults,
      }),
      spoke<EndpointSlice, EndpointSliceV1beta1>(context, {
        version: "v1beta1",
        until: "1.25",
        type: "discovery/v1beta1.EndpointSlice",
        setDefaults: setEndpointSliceDefaults,
        lifecycle: {
          introduced: "1.16",
          deprecated: "1.21",
          removed: "1.25",
          replacement: { group, version: "v1", kind: "EndpointSlice" },
        },
        ...endpointSliceConversion(context.naming.domain),
      }),
    ],
    storage: {
      version: "v1",
      // Kubernetes stores v1beta1 up to 1.30; every level reads both.
      before: { "1.31": { hashedVersion: "v1beta1" }, "1.24": { version: "v1beta1" } },
      prefix: "/endpointslices",
    },
    strategy: endpointSliceStrategy(context),
    columns: endpointSliceColumns,
  });
}

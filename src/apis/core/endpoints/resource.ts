import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { ipRules } from "../../checks/ip-rules.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Endpoints } from "../../gen/core-v1.js";
import { endpointsColumns } from "./columns.js";
import { endpointsWarnings, validateEndpoints } from "./validation.js";

export function endpoints(context: ApiContext): ResourceDefinition<Endpoints> {
  const rules = ipRules(context);
  return defineResource<Endpoints>({
    group: "",
    resource: "endpoints",
    kind: "Endpoints",
    namespaced: true,
    shortNames: ["ep"],
    versions: [
      hub<Endpoints>(context, {
        version: "v1",
        type: "core/v1.Endpoints",
        lifecycle: {
          deprecated: "1.33",
          replacement: { group: context.naming.group("discovery"), version: "v1", kind: "EndpointSlice" },
        },
        setDefaults(object) {
          for (const subset of object.subsets ?? []) {
            for (const port of subset.ports ?? []) port.protocol ||= "TCP";
          }
        },
      }),
    ],
    storage: { version: "v1", prefix: "/services/endpoints" },
    strategy: strategy<Endpoints>({
      allowCreateOnUpdate: true,
      validate: (_context, object) => validateEndpoints(object, undefined, rules),
      validateUpdate: (_context, object, old) => validateEndpoints(object, old, rules),
      ...(isAtLeast(context.level, "1.33") && {
        warningsOnCreate: (_context, object) => endpointsWarnings(object, context),
        warningsOnUpdate: (_context, object) => endpointsWarnings(object, context),
      }),
    }),
    columns: endpointsColumns,
  });
}

import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Endpoints } from "../../gen/core-v1.js";
import { endpointsColumns } from "./columns.js";
import { validateEndpoints } from "./validation.js";

export function endpoints(context: ApiContext): ResourceDefinition<Endpoints> {
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
      validate: (_context, object) => validateEndpoints(object),
      validateUpdate: (_context, object) => validateEndpoints(object),
    }),
    columns: endpointsColumns,
  });
}

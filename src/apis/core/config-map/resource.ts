import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { ConfigMap } from "../../gen/core-v1.js";
import { configMapColumns } from "./columns.js";
import { validateConfigMap, validateConfigMapUpdate } from "./validation.js";

export function configMaps(context: ApiContext): ResourceDefinition<ConfigMap> {
  return defineResource<ConfigMap>({
    group: "",
    resource: "configmaps",
    kind: "ConfigMap",
    namespaced: true,
    shortNames: ["cm"],
    versions: [hub<ConfigMap>(context, { version: "v1", type: "core/v1.ConfigMap" })],
    storage: { version: "v1", prefix: "/configmaps" },
    strategy: strategy<ConfigMap>({
      validate: (_context, object) => validateConfigMap(object),
      validateUpdate: (_context, object, old) => validateConfigMapUpdate(object, old),
    }),
    columns: configMapColumns,
  });
}

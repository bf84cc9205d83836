import type { ApiContext } from "../../definition/api-context.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { CustomResourceDefinition } from "../../gen/apiextensions-v1.js";
import { setCustomResourceDefinitionDefaults } from "./defaults.js";
import { upgradeStoredDefinition } from "./stored-v1beta1.js";
import { customResourceDefinitionStrategies } from "./strategy.js";

export function customResourceDefinitions(context: ApiContext): ResourceDefinition<CustomResourceDefinition> {
  const group = context.naming.group("apiextensions");
  const { main, status } = customResourceDefinitionStrategies(context);
  return defineResource<CustomResourceDefinition>({
    group,
    resource: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    versions: [
      hub<CustomResourceDefinition>(context, {
        version: "v1",
        type: "apiextensions/v1.CustomResourceDefinition",
        setDefaults: setCustomResourceDefinitionDefaults,
      }),
    ],
    storage: {
      version: "v1",
      hashedVersion: "v1beta1",
      prefix: `/${group}/customresourcedefinitions`,
      // As in Kubernetes. Definitions are mostly schemas, which are faster to read and write in the form that clients get.
      mediaType: "json",
      deferred: { spec: { versions: { schema: "blank" } } },
      upgrade: upgradeStoredDefinition,
    },
    strategy: main,
    subresources: [{ kind: "part", name: "status", verbs: partVerbs, strategy: status }],
  });
}

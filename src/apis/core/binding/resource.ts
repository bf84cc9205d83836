import { nameIsAnything } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Binding } from "../../gen/core-v1.js";
import { validateBinding } from "./validation.js";

/** Creating a binding assigns a pod to a node; nothing is stored. */
export function bindings(context: ApiContext): ResourceDefinition<Binding> {
  return defineResource<Binding>({
    group: "",
    resource: "bindings",
    kind: "Binding",
    namespaced: true,
    verbs: ["create"],
    versions: [hub<Binding>(context, { version: "v1", type: "core/v1.Binding" })],
    storage: undefined,
    strategy: strategy<Binding>({
      validateName: nameIsAnything,
      validate: (_write, binding) => validateBinding(binding),
    }),
  });
}

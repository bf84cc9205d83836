import type { FieldError } from "../../apimachinery/errors/field-error.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { nameIsAnything } from "../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../definition/api-context.js";
import { strategy } from "../definition/base-strategy.js";
import { defineResource, hub } from "../definition/define-resource.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";

export interface ReviewDeclaration<T extends ApiObject> {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly validate: (object: T) => FieldError[];
}

/** A question about permissions, answered on create and not stored. */
export function review<T extends ApiObject>(
  context: ApiContext,
  { kind, namespaced, validate }: ReviewDeclaration<T>,
): ResourceDefinition<T> {
  return defineResource<T>({
    group: context.naming.group("authorization"),
    resource: `${kind.toLowerCase()}s`,
    kind,
    invalidKind: { group: context.naming.group("authorization"), kind: "" },
    namespaced,
    verbs: ["create"],
    versions: [hub<T>(context, { version: "v1", type: `authorization/v1.${kind}` })],
    storage: undefined,
    strategy: strategy<T>({
      validateName: nameIsAnything,
      validate: (_context, object) => validate(object),
    }),
  });
}

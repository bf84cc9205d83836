import type { ElementType, FieldSchema, MessageSchema } from "../schema/message-schema.js";
import { PatchError } from "./patch-error.js";

/** What strategic merge patch knows of a value's type. */
export type PatchType =
  | { readonly kind: "message"; readonly message: MessageSchema }
  /** A map whose values are of one type. */
  | { readonly kind: "map"; readonly field: FieldSchema }
  /** No type is known below this: objects merge, lists are replaced. */
  | { readonly kind: "any" };

export interface PatchField {
  /** For a list, the type of its items. */
  readonly type: PatchType;
  readonly strategy: "merge" | "replace" | undefined;
  /** For a list of objects. */
  readonly mergeKey: string | undefined;
}

const untyped: PatchField = { type: { kind: "any" }, strategy: undefined, mergeKey: undefined };

/** The field `key` of a value of `type`; undefined when the type has no such field. */
export function childOf(type: PatchType, key: string): PatchField | undefined {
  switch (type.kind) {
    case "any":
      return untyped;
    case "map":
      return { type: typeOf(type.field.element), strategy: undefined, mergeKey: undefined };
    case "message": {
      const field = type.message.jsonFields.get(key);
      if (field === undefined) return undefined;
      return {
        type: field.cardinality === "map" ? { kind: "map", field } : typeOf(field.element),
        strategy: field.patchStrategies.find((strategy) => strategy !== "retainKeys"),
        mergeKey: field.patchMergeKey,
      };
    }
  }
}

export function requireChild(type: PatchType, key: string): PatchField {
  const field = childOf(type, key);
  if (field !== undefined) return field;
  const message = type.kind === "message" ? type.message.name : type.kind;
  const struct = message.slice(message.lastIndexOf(".") + 1);
  throw new PatchError(
    "failed",
    `unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`,
  );
}

function typeOf(element: ElementType): PatchType {
  return element.kind === "message" ? element : { kind: "any" };
}

import type { MergeType, StructField, StructType } from "../merge-type.js";

/** A type built by hand. `others` is the type of undeclared fields. */
export function structType(
  fields: ReadonlyMap<string, MergeType | StructField>,
  options: { readonly atomic?: boolean; readonly others?: MergeType | undefined } = {},
): StructType {
  const declared = new Map<string, StructField>();
  for (const [name, field] of fields) {
    declared.set(name, "type" in field ? field : { type: field, default: undefined, implicit: undefined });
  }
  return {
    kind: "struct",
    atomic: options.atomic ?? false,
    others: options.others,
    field: (name) => declared.get(name),
  };
}

import type { JSONSchemaProps, ValidationRule } from "../../gen/apiextensions-v1.js";

/** What a schema says beyond OpenAPI, in fields that carry the vendor's prefix. */
export interface SchemaExtensions {
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly validations: readonly ValidationRule[];
}

/** `prefix` is that of the profile's extension fields, with its dash. */
export function extensionsOf(schema: JSONSchemaProps, prefix: string): SchemaExtensions {
  const field = (name: string) => schema[`x-${prefix.slice(2)}${name}`];
  const flag = (name: string): boolean | undefined => {
    const value = field(name);
    return typeof value === "boolean" ? value : undefined;
  };
  const text = (name: string): string | undefined => {
    const value = field(name);
    return typeof value === "string" ? value : undefined;
  };
  const listOf = <T>(name: string, isItem: (item: unknown) => item is T): T[] => {
    const value: unknown = field(name);
    return Array.isArray(value) ? value.filter(isItem) : [];
  };
  return {
    preserveUnknownFields: flag("preserve-unknown-fields"),
    embeddedResource: flag("embedded-resource") ?? false,
    intOrString: flag("int-or-string") ?? false,
    listMapKeys: listOf("list-map-keys", (item) => typeof item === "string"),
    listType: text("list-type"),
    mapType: text("map-type"),
    validations: listOf("validations", isRule),
  };
}

function isRule(item: unknown): item is ValidationRule {
  return typeof item === "object" && item !== null && "rule" in item;
}

import type { JSONSchemaProps, ValidationRule } from "../../gen/apiextensions-v1.js";

/** The extensions of a schema beyond OpenAPI, in fields with the vendor's prefix. */
export interface SchemaExtensions {
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly validations: readonly ValidationRule[];
}

/** Shared by most schemas. */
const none: SchemaExtensions = {
  preserveUnknownFields: undefined,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: [],
  listType: undefined,
  mapType: undefined,
  validations: [],
};

/** `prefix` starts the profile's extension fields and includes the dash. */
export function extensionsOf(schema: JSONSchemaProps, prefix: string): SchemaExtensions {
  // Cached, because each schema of a definition is asked for many times.
  let found: Record<string, unknown> | undefined;
  for (const name in schema) {
    if (!name.startsWith(prefix)) continue;
    found ??= {};
    found[name.slice(prefix.length)] = schema[name as `x-${string}`];
  }
  if (found === undefined) return none;
  return {
    preserveUnknownFields: flag(found["preserve-unknown-fields"]),
    embeddedResource: flag(found["embedded-resource"]) ?? false,
    intOrString: flag(found["int-or-string"]) ?? false,
    listMapKeys: listOf(found["list-map-keys"], (item) => typeof item === "string"),
    listType: text(found["list-type"]),
    mapType: text(found["map-type"]),
    validations: listOf(found.validations, isRule),
  };
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listOf<T>(value: unknown, isItem: (item: unknown) => item is T): T[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isRule(item: unknown): item is ValidationRule {
  return typeof item === "object" && item !== null && "rule" in item;
}

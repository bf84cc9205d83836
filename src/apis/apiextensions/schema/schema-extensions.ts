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

/**
 * `prefix` starts the profile's extension fields and includes the dash. Called many times for each schema of a definition, most of which
 * have no extensions.
 */
export function extensionsOf(schema: JSONSchemaProps, prefix: string): SchemaExtensions {
  if (!hasExtension(schema)) return none;
  const names = extensionNames(prefix);
  const preserveUnknownFields = schema[names.preserveUnknownFields];
  const embeddedResource = schema[names.embeddedResource];
  const intOrString = schema[names.intOrString];
  const listMapKeys = schema[names.listMapKeys];
  const listType = schema[names.listType];
  const mapType = schema[names.mapType];
  const validations = schema[names.validations];
  if (
    preserveUnknownFields === undefined &&
    embeddedResource === undefined &&
    intOrString === undefined &&
    listMapKeys === undefined &&
    listType === undefined &&
    mapType === undefined &&
    validations === undefined
  ) {
    return none;
  }
  return {
    preserveUnknownFields: flag(preserveUnknownFields),
    embeddedResource: flag(embeddedResource) ?? false,
    intOrString: flag(intOrString) ?? false,
    listMapKeys: listOf(listMapKeys, (item) => typeof item === "string"),
    listType: text(listType),
    mapType: text(mapType),
    validations: listOf(validations, isRule),
  };
}

/** No other field begins with an x. */
function hasExtension(schema: JSONSchemaProps): boolean {
  for (const name in schema) if (name.startsWith("x")) return true;
  return false;
}

type ExtensionNames = Readonly<Record<keyof SchemaExtensions, `x-${string}`>>;

const namesByPrefix = new Map<string, ExtensionNames>();

/** The names of a profile's fields: looking them up is faster than putting them together each time. */
function extensionNames(prefix: string): ExtensionNames {
  let names = namesByPrefix.get(prefix);
  if (names === undefined) {
    const name = (rest: string): `x-${string}` => `x-${prefix.slice("x-".length)}${rest}`;
    names = {
      preserveUnknownFields: name("preserve-unknown-fields"),
      embeddedResource: name("embedded-resource"),
      intOrString: name("int-or-string"),
      listMapKeys: name("list-map-keys"),
      listType: name("list-type"),
      mapType: name("map-type"),
      validations: name("validations"),
    };
    namesByPrefix.set(prefix, names);
  }
  return names;
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

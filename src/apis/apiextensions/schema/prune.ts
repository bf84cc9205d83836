import { isJsonObject, type JsonValue } from "../../../apimachinery/json-value.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { extensionsOf } from "./schema-extensions.js";

export interface PruneOptions {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  /** The value is an object whose kind, apiVersion and metadata are kept. */
  readonly isResource: boolean;
  /** Called with the path of each field that is dropped: `spec.sails[0].colour`. */
  readonly onDrop?: ((path: string) => void) | undefined;
}

/** A copy of `value` without the fields that its structural schema does not specify. */
export function prune(value: JsonValue, schema: JSONSchemaProps, options: PruneOptions): JsonValue {
  const { prefix, isResource, onDrop } = options;
  return pruned(value, schema, isResource, "");

  /** Undefined means that nothing is specified. */
  function pruned(
    x: JsonValue,
    s: JSONSchemaProps | undefined,
    isObject: boolean,
    path: string,
    keepsUnknown = s !== undefined && extensionsOf(s, prefix).preserveUnknownFields === true,
  ): JsonValue {
    if (Array.isArray(x)) {
      const items = Array.isArray(s?.items) ? undefined : s?.items;
      return x.map((item: JsonValue, index) => {
        const at = `${path}[${index}]`;
        if (keepsUnknown && items === undefined) return item;
        return pruned(item, items, isEmbedded(items), at, keepsUnknown || undefined);
      });
    }
    if (!isJsonObject(x)) return x;
    const kept: [string, JsonValue][] = [];
    for (const [name, field] of Object.entries(x)) {
      const at = path === "" ? name : `${path}.${name}`;
      const known = schemaOf(name, s);
      if (isObject && metadataFields.includes(name)) kept.push([name, field]);
      else if (known !== "unknown") kept.push([name, pruned(field, known, isEmbedded(known), at)]);
      else if (keepsUnknown) kept.push([name, field]);
      else onDrop?.(at);
    }
    return Object.fromEntries(kept);
  }

  function isEmbedded(s: JSONSchemaProps | undefined): boolean {
    return s !== undefined && extensionsOf(s, prefix).embeddedResource;
  }
}

const metadataFields = ["apiVersion", "kind", "metadata"];

/** Undefined for a field that is allowed without a schema. */
function schemaOf(
  name: string,
  schema: JSONSchemaProps | undefined,
): JSONSchemaProps | undefined | "unknown" {
  const property = schema?.properties?.[name];
  if (property !== undefined) return property;
  const additional = schema?.additionalProperties;
  if (additional === undefined) return "unknown";
  return typeof additional === "object" ? additional : undefined;
}

import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { isJsonArray } from "../../../apimachinery/json/json-values.js";

/**
 * A stored definition in the form of v1, whatever its version: kube-apiserver 1.23 stores definitions as v1beta1, which it no longer
 * serves. There, what all versions have in common may stand at the top of the spec.
 */
export function upgradeStoredDefinition(stored: JsonObject): JsonObject {
  const { apiVersion, spec } = stored;
  if (typeof apiVersion !== "string" || !apiVersion.endsWith("/v1beta1") || !isJsonObject(spec))
    return stored;
  return {
    ...stored,
    apiVersion: apiVersion.replace(/v1beta1$/, "v1"),
    spec: upgradedSpec(spec),
  };
}

function upgradedSpec(spec: JsonObject): JsonObject {
  const { version, versions, validation, subresources, additionalPrinterColumns, selectableFields, ...rest } =
    spec;
  const { conversion, preserveUnknownFields = true, scope = "Namespaced" } = rest;
  const listed = isJsonArray(versions) ? versions.filter(isJsonObject) : [];
  const declared =
    listed.length > 0 ? listed : [{ name: version ?? "", served: true, storage: true } as const];
  const shared = compact({ schema: validation, subresources, additionalPrinterColumns, selectableFields });
  return {
    ...rest,
    scope,
    preserveUnknownFields,
    ...(isJsonObject(conversion) && { conversion: upgradedConversion(conversion) }),
    versions: declared.map((one) => {
      const merged: JsonObject = { ...shared, ...one };
      const columns = merged.additionalPrinterColumns;
      return isJsonArray(columns)
        ? { ...merged, additionalPrinterColumns: columns.map(upgradedColumn) }
        : merged;
    }),
  };
}

function upgradedColumn(column: JsonValue): JsonValue {
  if (!isJsonObject(column)) return column;
  const { JSONPath, ...rest } = column;
  return JSONPath === undefined ? column : { ...rest, jsonPath: JSONPath };
}

function upgradedConversion(conversion: JsonObject): JsonObject {
  const { webhookClientConfig, conversionReviewVersions, ...rest } = conversion;
  const webhook = compact({ clientConfig: webhookClientConfig, conversionReviewVersions });
  return Object.keys(webhook).length === 0 ? rest : { ...rest, webhook };
}

function compact(members: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const given: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(members)) {
    if (member !== undefined && member !== null) given.push([name, member]);
  }
  return Object.fromEntries(given);
}

import { shortened } from "../errors/printed-value.js";
import { badRequest, type StatusError } from "../errors/status.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isDeeperThan, isJsonArray, jsonDepthMax, ownField } from "../json/json-values.js";
import { parseApiVersion } from "../objects/meta.js";

const printedAsNull: ReadonlySet<string> = new Set(["creationTimestamp", "managedFields", "resourceVersion"]);

/**
 * `config` without its type, and without a creation time and a version that a client printed as null. Throws 400 for one of another version than that of the
 * request, with managed fields, or nested too deep.
 */
export function checkConfiguration(config: JsonObject, apiVersion: string): JsonObject {
  const { apiVersion: actual, kind: _, ...rest } = config;
  if (actual !== apiVersion) throw incorrectVersion(config, apiVersion);
  if (isDeeperThan(config, jsonDepthMax)) {
    throw badRequest(`the configuration is nested more than ${jsonDepthMax} levels deep`);
  }
  const metadata = ownField(rest, "metadata");
  if (!isJsonObject(metadata)) return rest;
  const managedFields = ownField(metadata, "managedFields");
  if (isJsonArray(managedFields)) throw badRequest("metadata.managedFields must be nil");
  const kept = Object.entries(metadata).filter(
    ([name, value]) => !(value === null && printedAsNull.has(name)),
  );
  return { ...rest, metadata: Object.fromEntries(kept) };
}

/** 400 when the configuration is not of the version of the request. */
export function incorrectVersion(config: JsonObject, expected: string): StatusError {
  const apiVersion = textOf(ownField(config, "apiVersion"));
  const specified = parseApiVersion(apiVersion) === undefined ? "" : apiVersion;
  return badRequest(
    `Incorrect version specified in apply patch. Specified patch version: ${specified}, expected: ${expected}`,
  );
}

/** As errors name it: `namespace/name; group/version, Kind=kind`. */
export function configurationName(config: JsonObject): string {
  const metadata = ownField(config, "metadata");
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  return `${textOf(namespace)}/${textOf(name)}; ${configurationType(config)}`;
}

/** `group/version, Kind=kind`; what does not have that form is left out. */
export function configurationType(config: JsonObject): string {
  const apiVersion = textOf(ownField(config, "apiVersion"));
  const parsed = parseApiVersion(apiVersion);
  if (apiVersion !== "" && parsed === undefined) return "/, Kind=";
  const { group = "", version = "" } = parsed ?? {};
  return `${group}/${version}, Kind=${textOf(ownField(config, "kind"))}`;
}

/** For errors. */
function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? shortened(value) : "";
}

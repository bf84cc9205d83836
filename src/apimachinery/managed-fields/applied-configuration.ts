import { goMapText } from "../errors/shown-value.js";
import { badRequest, type StatusError } from "../errors/status.js";
import { isJsonObject, type JsonObject } from "../json/json-value.js";
import { isDeeperThan, jsonDepthMax, ownField } from "../json/json-values.js";

const printedAsNull: ReadonlySet<string> = new Set(["creationTimestamp", "resourceVersion"]);

/**
 * `config` without its type, and without a creation time and a version that a client printed as null. Throws 400 for one of another version than that of the
 * request, with managed fields, or nested too deep.
 */
export function checkConfiguration(config: JsonObject, apiVersion: string): JsonObject {
  const { apiVersion: actual, kind: _, ...rest } = config;
  if (actual !== apiVersion) {
    throw incorrectVersion(typeof actual === "string" ? actual : "", apiVersion);
  }
  if (isDeeperThan(config, jsonDepthMax)) {
    throw badRequest(`the configuration is nested more than ${jsonDepthMax} levels deep`);
  }
  const metadata = ownField(rest, "metadata");
  if (!isJsonObject(metadata)) return rest;
  if ((ownField(metadata, "managedFields") ?? null) !== null) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const kept = Object.entries(metadata).filter(
    ([name, value]) => name !== "managedFields" && !(value === null && printedAsNull.has(name)),
  );
  return { ...rest, metadata: Object.fromEntries(kept) };
}

/** 400 when the configuration is not of the version of the request. */
export function incorrectVersion(specified: string, expected: string): StatusError {
  return badRequest(
    `Incorrect version specified in apply patch. Specified patch version: ${specified}, expected: ${expected}`,
  );
}

/** As errors name it: `namespace/name; group/version, Kind=kind`. */
export function configurationName(config: JsonObject): string {
  const metadata = ownField(config, "metadata");
  const { name = "", namespace = "" } = isJsonObject(metadata) ? metadata : {};
  const version = goMapText(ownField(config, "apiVersion") ?? "");
  const groupVersion = version.includes("/") ? version : `/${version}`;
  return `${goMapText(namespace)}/${goMapText(name)}; ${groupVersion}, Kind=${goMapText(ownField(config, "kind") ?? "")}`;
}

import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { isDns1035Label, isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { emptyMessage, patternMessage } from "../../../apimachinery/validation/messages.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ServerStorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from "../../gen/apiserverinternal-v1alpha1.js";
import { apiserverinternalV1alpha1Types } from "../v1alpha1/types.js";

const conditionRules = fieldRules<StorageVersionCondition>(
  apiserverinternalV1alpha1Types,
  "StorageVersionCondition",
);

/** `apps.deployments`, and `core.pods` for the core group. */
export function storageVersionNameProblems(name: string): string[] {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return ["name must be in the form of <group>.<resource>"];
  return [
    ...isDns1123Subdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...isDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

export function validateStorageVersionStatus(status: StorageVersionStatus): FieldError[] {
  const path = FieldPath.of("status");
  const servers = status.storageVersions ?? [];
  return [
    ...servers.flatMap((server, index) => validateServer(server, path.child("storageVersions").index(index))),
    ...validateCommonVersion(status.commonEncodingVersion, servers, path.child("commonEncodingVersion")),
    ...validateConditions(status.conditions ?? [], path),
  ];
}

function validateServer(server: ServerStorageVersion, path: FieldPath): FieldError[] {
  const { apiServerID = "", encodingVersion = "", decodableVersions = [], servedVersions = [] } = server;
  const errors = isDns1123Subdomain(apiServerID).map((problem) =>
    invalid(path.child("apiServerID"), apiServerID, problem),
  );
  const check = (version: string, at: FieldPath): void => {
    const problems = apiVersionProblems(version);
    if (problems.length > 0) errors.push(invalid(at, version, problems.join(",")));
  };
  check(encodingVersion, path.child("encodingVersion"));
  const shown = `[${decodableVersions.join(" ")}]`;
  const decodablePath = path.child("decodableVersions");
  for (const [index, version] of decodableVersions.entries()) check(version, decodablePath.index(index));
  if (!decodableVersions.includes(encodingVersion)) {
    const why = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalid(decodablePath, decodableVersions, why));
  }
  const decodable = new Set(decodableVersions);
  for (const [index, version] of servedVersions.entries()) {
    const at = path.child("servedVersions").index(index);
    check(version, at);
    if (decodable.has(version)) continue;
    const why = `individual served version : ${version} must be included in decodableVersions : ${shown}`;
    errors.push(invalid(at, version, why));
  }
  return errors;
}

function validateCommonVersion(
  given: string | undefined,
  servers: readonly ServerStorageVersion[],
  path: FieldPath,
): FieldError[] {
  const [first, ...others] = servers.map(({ encodingVersion = "" }) => encodingVersion);
  const actual = others.every((version) => version === first) ? first : undefined;
  if (actual === given) return [];
  if (actual === undefined) {
    const why =
      "should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet";
    return [invalid(path, given, why)];
  }
  if (given === undefined) return [invalid(path, undefined, `the common encoding version is ${actual}`)];
  return [invalid(path, given, `the actual common encoding version is ${actual}`)];
}

/** The paths lack `conditions`, as those of Kubernetes do. */
function validateConditions(conditions: readonly StorageVersionCondition[], path: FieldPath): FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap((condition, index) => {
    const { type, status } = condition;
    const at = path.index(index);
    const errors: FieldError[] = [];
    const earlier = seen.get(type);
    if (earlier !== undefined) {
      const why = `the type of the condition is not unique, it also appears in conditions[${earlier}]`;
      errors.push(invalid(at.child("type"), type, why));
    }
    seen.set(type, index);
    for (const problem of isQualifiedName(type)) errors.push(invalid(at.child("type"), type, problem));
    for (const problem of isQualifiedName(status)) errors.push(invalid(at.child("status"), type, problem));
    return [...errors, ...conditionRules.check(condition, at, "reason", "message")];
  });
}

function apiVersionProblems(apiVersion: string): string[] {
  const parts = apiVersion.split("/", 3);
  if (parts.length > 2) {
    const what =
      "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
    const pattern = patternMessage(what, "[a-z]([-a-z0-9]*[a-z0-9])?", "my-name", "abc-123");
    return [
      `an apiVersion is ${pattern} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`,
    ];
  }
  const group = parts.length === 2 ? parts[0] : undefined;
  const version = parts.at(-1) ?? "";
  const problems: string[] = [];
  if (group === "") problems.push(`group part: ${emptyMessage()}`);
  else if (group !== undefined)
    append(
      problems,
      isDns1123Subdomain(group).map((p) => `group part: ${p}`),
    );
  if (version === "") problems.push(`version part: ${emptyMessage()}`);
  else
    append(
      problems,
      isDns1035Label(version).map((p) => `version part: ${p}`),
    );
  return problems;
}

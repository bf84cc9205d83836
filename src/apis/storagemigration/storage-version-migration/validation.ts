import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1035Label, isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import { validateConditions } from "../../checks/condition-validation.js";
import type { Condition } from "../../gen/meta-v1.js";
import { isTrue, type Migration, type MigrationCondition } from "./migration.js";

const specPath = FieldPath.of("spec");
const resourcePath = specPath.child("resource");
const statusPath = FieldPath.of("status");

export function validateMigration({ spec }: Migration, level: ApiLevel): FieldError[] {
  const { group = "", version = "", resource = "" } = spec.resource;
  const [groupAt, versionAt, resourceAt] = [
    resourcePath.child("group"),
    resourcePath.child("version"),
    resourcePath.child("resource"),
  ];
  if (!isAtLeast(level, "1.35")) {
    return [
      ...(resource === "" ? [required(resourceAt, "resource is required")] : []),
      ...(version === "" ? [required(versionAt, "version is required")] : []),
    ];
  }
  const errors: FieldError[] = [];
  if (resource === "") errors.push(required(resourceAt, "resource is required to be set"));
  else append(errors, joined(resourceAt, resource, isDns1035Label(resource)));
  if (group !== "") append(errors, joined(groupAt, group, isDns1123Subdomain(group)));
  return errors;
}

/** The migrated resource is immutable. */
export function validateMigrationUpdate(migration: Migration, old: Migration, level: ApiLevel): FieldError[] {
  const errors = validateMigration(migration, level);
  if (isAtLeast(level, "1.35")) {
    append(errors, validateImmutable(migration.spec, old.spec, specPath));
    return errors;
  }
  for (const part of ["group", "version", "resource"] as const) {
    const [is = "", was = ""] = [migration.spec.resource[part], old.spec.resource[part]];
    if (is !== was) errors.push(invalid(FieldPath.of(part), is, "field is immutable"));
  }
  return errors;
}

/** A migration runs and then succeeds or fails, which is final. */
export function validateMigrationStatus(migration: Migration, old: Migration, level: ApiLevel): FieldError[] {
  const { conditions = [], resourceVersion = "" } = migration.status;
  const [versionAt, conditionsAt] = [statusPath.child("resourceVersion"), statusPath.child("conditions")];
  const errors = validateResourceVersion(resourceVersion, versionAt, level);
  append(errors, validateConditions(conditions.map(sharedForm), conditionsAt));
  const { resourceVersion: oldVersion = "" } = old.status;
  if (oldVersion !== "" && oldVersion !== resourceVersion) {
    errors.push(invalid(versionAt, resourceVersion, "field is immutable"));
  }
  const refuse = (isWrong: boolean, why: string): void => {
    if (isWrong) errors.push(invalid(conditionsAt, conditions, why));
  };
  const [runs, succeeded, failed] = [
    isTrue(migration, "Running"),
    isTrue(migration, "Succeeded"),
    isTrue(migration, "Failed"),
  ];
  refuse(succeeded && failed, "Both success and failed conditions cannot be true at the same time");
  refuse(succeeded && runs, "Running condition cannot be true when success condition is true");
  refuse(failed && runs, "Running condition cannot be true when failed condition is true");
  const once = (what: string): string => `${what} condition cannot be set to false once it is true`;
  refuse(isTrue(old, "Succeeded") && !succeeded, once("Success"));
  refuse(isTrue(old, "Failed") && !failed, once("Failed"));
  return errors;
}

/** Conditions of v1alpha1 in the form of `meta/v1`: errors name their time differently, and empty fields are absent. */
function sharedForm({ lastUpdateTime, ...condition }: MigrationCondition): Condition {
  const { reason = "", message = "", lastTransitionTime = lastUpdateTime } = condition;
  return { ...condition, reason, message, lastTransitionTime };
}

function validateResourceVersion(version: string, path: FieldPath, level: ApiLevel): FieldError[] {
  if (isAtLeast(level, "1.35")) {
    if (/^[1-9]\d*$/.test(version)) return [];
    return [invalid(path, version, `resource version is not well formed: ${version}`)];
  }
  if (version === "" || /^\+?\d+$/.test(version)) return [];
  if (/^-\d+$/.test(version)) {
    return [invalid(path, Number(version), "must be greater than or equal to 0")];
  }
  const quoted = JSON.stringify(version);
  const why = `failed to parse resource version ${quoted}: strconv.ParseInt: parsing ${quoted}: invalid syntax`;
  return [invalid(path, version, why)];
}

function joined(path: FieldPath, value: string, problems: readonly string[]): FieldError[] {
  return problems.length === 0 ? [] : [invalid(path, value, problems.join(","))];
}

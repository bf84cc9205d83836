import { type FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { parseYaml } from "../../apimachinery/yaml/parse-yaml.js";
import type { AuditLevel } from "../../request/audit-trail.js";
import type { AuditStage } from "../audit-event.js";
import type { AuditPolicy, GroupResources, PolicyRule } from "./policy.js";
import { validatePolicy } from "./validate-policy.js";

export interface ParsedPolicy {
  readonly policy: AuditPolicy;
  /** Unknown fields, which have no effect. */
  readonly unknownFields: readonly string[];
}

/** The versions of policies that a level reads. */
function versionsAt(level: ApiLevel): readonly string[] {
  return isAtLeast(level, "1.24") ? ["v1"] : ["v1", "v1beta1", "v1alpha1"];
}

/**
 * Reads a policy, YAML or JSON, in any of the versions of `group`, whose fields are the same. Throws an `Error` that names the field.
 * Source: kube-apiserver 1.23, `audit/policy/reader.go`.
 */
export async function parsePolicy(text: Uint8Array, group: string, level: ApiLevel): Promise<ParsedPolicy> {
  const value = await parseYaml(text);
  if (!isJsonObject(value)) throw new Error("the policy must be an object of kind Policy");
  const { apiVersion = "", kind = "" } = value;
  if (kind !== "Policy" || !versionsAt(level).some((version) => apiVersion === `${group}/${version}`)) {
    throw new Error(
      `apiVersion ${JSON.stringify(apiVersion)} and kind ${JSON.stringify(kind)}: must be ${group}/v1 and Policy`,
    );
  }
  const reader = new PolicyReader();
  const policy = reader.policy(value);
  const errors = validatePolicy(policy, level);
  if (errors.length > 0) throw new Error(joined(errors));
  if (policy.rules.length === 0) throw new Error("loaded illegal policy with 0 rules");
  return { policy, unknownFields: reader.unknownFields };
}

function joined(errors: readonly FieldError[]): string {
  const texts = errors.map((error) => `${error.field}: ${error.body}`);
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

/** Extracts a policy from JSON; collects unknown fields. */
class PolicyReader {
  readonly unknownFields: string[] = [];

  policy(value: JsonObject): AuditPolicy {
    const fields = ["kind", "apiVersion", "metadata", "rules", "omitStages", "omitManagedFields"];
    this.#noteUnknown(value, fields, undefined);
    const path = FieldPath.of("rules");
    const rules = list(value.rules, path).map((rule, index) => this.#rule(rule, path.index(index)));
    return {
      rules,
      // Validation refuses other words.
      omitStages: texts(value.omitStages, FieldPath.of("omitStages")) as AuditStage[],
      omitManagedFields: flag(value.omitManagedFields, FieldPath.of("omitManagedFields")) ?? false,
    };
  }

  #rule(value: JsonValue, path: FieldPath): PolicyRule {
    if (!isJsonObject(value)) throw misfit(path, "an object");
    const at = (name: string): FieldPath => path.child(name);
    const lists = ["users", "userGroups", "verbs", "namespaces", "nonResourceURLs", "omitStages"];
    this.#noteUnknown(value, ["level", "resources", "omitManagedFields", ...lists], path);
    const named = (name: string): string[] => texts(value[name], at(name));
    return {
      // Validation refuses other words.
      level: text(value.level, at("level")) as AuditLevel,
      users: named("users"),
      userGroups: named("userGroups"),
      verbs: named("verbs"),
      namespaces: named("namespaces"),
      nonResourceURLs: named("nonResourceURLs"),
      omitStages: named("omitStages") as AuditStage[],
      resources: list(value.resources, at("resources")).map((each, index) =>
        this.#groupResources(each, at("resources").index(index)),
      ),
      omitManagedFields: flag(value.omitManagedFields, at("omitManagedFields")),
    };
  }

  #groupResources(value: JsonValue, path: FieldPath): GroupResources {
    if (!isJsonObject(value)) throw misfit(path, "an object");
    this.#noteUnknown(value, ["group", "resources", "resourceNames"], path);
    return {
      group: text(value.group, path.child("group")),
      resources: texts(value.resources, path.child("resources")),
      resourceNames: texts(value.resourceNames, path.child("resourceNames")),
    };
  }

  #noteUnknown(value: JsonObject, known: readonly string[], path: FieldPath | undefined): void {
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) this.unknownFields.push(String(path?.child(name) ?? FieldPath.of(name)));
    }
  }
}

function list(value: JsonValue | undefined, path: FieldPath): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw misfit(path, "a list");
  return value;
}

function texts(value: JsonValue | undefined, path: FieldPath): string[] {
  return list(value, path).map((each, index) => text(each, path.index(index)));
}

function text(value: JsonValue | undefined, path: FieldPath): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw misfit(path, "a string");
  return value;
}

function flag(value: JsonValue | undefined, path: FieldPath): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw misfit(path, "true or false");
  return value;
}

function misfit(path: FieldPath, what: string): Error {
  return new Error(`${path}: must be ${what}`);
}

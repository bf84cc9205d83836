import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { printList, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { immutableMessage } from "../../../apimachinery/validation/values.js";
import type { Naming } from "../../../naming/naming.js";
import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "../../gen/core-v1.js";
import type { ResourceList } from "../pod-spec/resource-list.js";
import { validateResourceQuantity } from "../pod-spec/resource-validation.js";
import {
  isStandardQuotaResource,
  podComputeQuotaResources,
  validateQuotaResourceName,
} from "./quota-resources.js";

export interface ResourceQuotaRules {
  readonly naming: Naming;
  readonly allowCrossNamespaceAffinity: boolean;
  readonly hasClassScope: boolean;
  readonly level: ApiLevel;
}

const scopes: ReadonlySet<string> = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
]);
const crossNamespaceScope = "CrossNamespacePodAffinity";
/** Selects claims; all others select pods. */
const classScope = "VolumeAttributesClass";
const claimResources: ReadonlySet<string> = new Set(["persistentvolumeclaims", "requests.storage"]);
/** Scopes that take no values. */
const bareScopes: ReadonlySet<string> = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  crossNamespaceScope,
]);
const conflicts = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

export function validateResourceQuota(object: ResourceQuota, rules: ResourceQuotaRules): FieldError[] {
  return [...specErrors(object.spec, rules), ...validateResourceQuotaStatusUpdate(rules.naming, object)];
}

export function validateResourceQuotaUpdate(
  object: ResourceQuota,
  old: ResourceQuota,
  rules: ResourceQuotaRules,
): FieldError[] {
  const errors = specErrors(object.spec, rules);
  const before = new Set(old.spec.scopes);
  const after = new Set(object.spec.scopes);
  if (before.size !== after.size || [...before].some((scope) => !after.has(scope))) {
    errors.push(invalid(FieldPath.of("spec", "scopes"), printScopes(object.spec.scopes), immutableMessage));
  }
  return errors;
}

export function validateResourceQuotaStatusUpdate(naming: Naming, { status }: ResourceQuota): FieldError[] {
  return [
    ...listErrors(naming, status.hard, FieldPath.of("status", "hard")),
    ...listErrors(naming, status.used, FieldPath.of("status", "used")),
  ];
}

function specErrors(spec: ResourceQuotaSpec, rules: ResourceQuotaRules): FieldError[] {
  return [
    ...listErrors(rules.naming, spec.hard, FieldPath.of("spec", "hard")),
    ...scopesErrors(spec, rules),
    ...selectorErrors(spec, rules),
  ];
}

function listErrors(naming: Naming, list: ResourceList | undefined, path: FieldPath): FieldError[] {
  return errorsOfEach(Object.entries(list ?? {}), ([name, amount]) => [
    ...validateQuotaResourceName(name, path.key(name)),
    ...validateResourceQuantity(name, amount, path.key(name), naming),
  ]);
}

function scopesErrors(spec: ResourceQuotaSpec, rules: ResourceQuotaRules): FieldError[] {
  const given = spec.scopes ?? [];
  const path = FieldPath.of("spec", "scopes");
  const printed = printScopes(given);
  const errors: FieldError[] = [];
  for (const scope of given) {
    if (!isScope(scope, rules)) errors.push(invalid(path, printed, "unsupported scope"));
    for (const _name of resourcesBeyond(scope, spec, rules)) {
      errors.push(invalid(path, printed, "unsupported scope applied to resource"));
    }
  }
  return [...errors, ...conflictErrors(given, spec, path)];
}

function selectorErrors(spec: ResourceQuotaSpec, rules: ResourceQuotaRules): FieldError[] {
  if (spec.scopeSelector === undefined) return [];
  const requirements = spec.scopeSelector.matchExpressions ?? [];
  const path = FieldPath.of("spec", "scopeSelector", "matchExpressions");
  const printed = printSelector(requirements);
  const errors: FieldError[] = [];
  for (const requirement of requirements) {
    const { scopeName } = requirement;
    if (!isScope(scopeName, rules)) {
      errors.push(invalid(path.child("scopeName"), scopeName, "unsupported scope"));
    }
    for (const _name of resourcesBeyond(scopeName, spec, rules)) {
      errors.push(invalid(path, printed, "unsupported scope applied to resource"));
    }
    append(errors, requirementErrors(requirement, path, rules));
  }
  const names = requirements.map(({ scopeName }) => scopeName);
  return [...errors, ...conflictErrors(names, spec, path)];
}

function requirementErrors(
  requirement: ScopedResourceSelectorRequirement,
  path: FieldPath,
  { level }: ResourceQuotaRules,
): FieldError[] {
  const { scopeName, operator, values = [] } = requirement;
  const errors: FieldError[] = [];
  if (bareScopes.has(scopeName) && operator !== "Exists") {
    const word = isAtLeast(level, "1.31") ? "Exists" : "Exist";
    const why = `must be '${word}' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`;
    errors.push(invalid(path.child("operator"), operator, why));
  }
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(required(path.child("values"), why));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        errors.push(invalid(path.child("values"), values, why));
      }
      break;
    default:
      errors.push(invalid(path.child("operator"), operator, "not a valid selector operator"));
  }
  return errors;
}

function conflictErrors(given: readonly string[], spec: ResourceQuotaSpec, path: FieldPath): FieldError[] {
  return conflicts
    .filter((pair) => pair.every((scope) => given.includes(scope)))
    .map(() => invalid(path, printScopes(spec.scopes), "conflicting scopes"));
}

function isScope(scope: string, { allowCrossNamespaceAffinity, hasClassScope }: ResourceQuotaRules): boolean {
  return (
    scopes.has(scope) ||
    (allowCrossNamespaceAffinity && scope === crossNamespaceScope) ||
    (hasClassScope && scope === classScope)
  );
}

/** The resources of the quota that this scope does not support. */
function resourcesBeyond(
  scope: string,
  spec: ResourceQuotaSpec,
  { hasClassScope }: ResourceQuotaRules,
): string[] {
  if (scope === classScope && !hasClassScope) return [];
  return Object.keys(spec.hard ?? {}).filter(
    (name) => isStandardQuotaResource(name) && !isCountedIn(scope, name),
  );
}

function isCountedIn(scope: string, resource: string): boolean {
  if (scope === "BestEffort") return resource === "pods";
  if (scope === classScope) return claimResources.has(resource);
  if (scopes.has(scope) || scope === crossNamespaceScope) {
    return resource === "pods" || podComputeQuotaResources.has(resource);
  }
  return true;
}

function printScopes(given: readonly string[] | undefined): PrintedValue {
  return printList("core.ResourceQuotaScope", given);
}

function printSelector(requirements: readonly ScopedResourceSelectorRequirement[]): PrintedValue {
  const type = "core.ScopedResourceSelectorRequirement";
  const printed = requirements.map(({ scopeName, operator, values }) =>
    printStruct(type, {
      ScopeName: scopeName,
      Operator: operator,
      Values: printList("string", values),
    }),
  );
  return printStruct("core.ScopeSelector", { MatchExpressions: printList(type, printed) });
}

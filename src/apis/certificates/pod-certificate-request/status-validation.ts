import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  invalid,
  invalidUnprinted,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { validateConditions } from "../../checks/condition-validation.js";
import type { PodCertificateRequest } from "../../gen/certificates-v1beta1.js";
import type { Condition } from "../../gen/meta-v1.js";
import { validateIssued } from "./issued-validation.js";
import type { PodCertificateRules } from "./validation.js";

const statusPath = FieldPath.of("status");
const conditionsPath = statusPath.child("conditions");
const decisions = ["Issued", "Denied", "Failed"] as const;
type Decision = (typeof decisions)[number];

/** A request is decided once: with certificates, or with a condition that says why there are none. */
export function validatePodCertificateStatus(
  request: PodCertificateRequest,
  old: PodCertificateRequest,
  now: Date,
  rules: PodCertificateRules,
): FieldError[] {
  const { status = {} } = request;
  const { conditions = [] } = status;
  const errors = validateDecisions(conditions);
  append(errors, validateConditions(conditions, conditionsPath));
  if (errors.length > 0) return errors;
  const isSame = isDeepEqual(withoutEmpty(status), withoutEmpty(old.status ?? {}));
  if (decisionOf(old.status?.conditions) !== undefined) {
    const why = "immutable after PodCertificateRequest is issued, denied, or failed";
    return isSame ? [] : [invalidUnprinted(statusPath, why)];
  }
  switch (decisionOf(conditions)) {
    case "Issued":
      return validateIssued(status, old.spec, now, rules);
    case "Denied":
    case "Failed": {
      const why =
        "non-condition status fields must be empty when denying or failing the PodCertificateRequest";
      const { conditions: _, ...others } = withoutEmpty(status);
      return Object.keys(others).length === 0 ? [] : [invalidUnprinted(statusPath, why)];
    }
    case undefined: {
      const why = `status is immutable unless transitioning to "Issued", "Denied", or "Failed"`;
      return isSame ? [] : [invalidUnprinted(statusPath, why)];
    }
  }
}

function validateDecisions(conditions: readonly Condition[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { type, status }] of conditions.entries()) {
    // Kubernetes writes the index as a field name.
    const at = conditionsPath.child(`[${index}]`);
    if (!isDecision(type)) {
      errors.push(notSupported(at.child("type"), type, decisions));
      continue;
    }
    if (conditions.findIndex((other) => isDecision(other.type)) < index) {
      const why = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      errors.push(invalid(at.child("type"), type, why));
    }
    if (status !== "True") errors.push(notSupported(at.child("status"), status, ["True"]));
  }
  return errors;
}

function decisionOf(conditions: readonly Condition[] = []): Decision | undefined {
  const types = conditions.filter(({ status }) => status === "True").map(({ type }) => type);
  return decisions.find((decision) => types.includes(decision));
}

function isDecision(type: string): type is Decision {
  return (decisions as readonly string[]).includes(type);
}

function withoutEmpty<T extends object>(status: T): Partial<T> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(status).filter(([, value]) => !isEmpty(value))) as Partial<T>; // some of its fields
}

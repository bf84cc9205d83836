import { X509Certificate } from "node:crypto";
import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printBytes } from "../../../apimachinery/errors/printed-structs.js";
import { repeated } from "../../../apimachinery/validation/repeated.js";
import { pemBlocks } from "../../checks/pem-blocks.js";
import { validateSignerName } from "../../checks/signer-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
} from "../../gen/certificates-v1.js";
import { certificatesV1Types } from "../v1/types.js";
import { requestProblem } from "./request-signature.js";

const specRules = fieldRules<CertificateSigningRequestSpec>(
  certificatesV1Types,
  "CertificateSigningRequestSpec",
);
const conditionRules = fieldRules<CertificateSigningRequestCondition>(
  certificatesV1Types,
  "CertificateSigningRequestCondition",
);
/** Such a condition must be true if it is present. */
const trueConditions = ["Approved", "Denied", "Failed"];

export interface SigningRequestRules {
  /** For the built-in signers. */
  readonly domain: string;
}

/** `old` may keep values that predate a rule. */
export function validateSigningRequest(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
  rules: SigningRequestRules,
): FieldError[] {
  const { spec } = object;
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  const problem = requestProblem(textOf(spec.request));
  if (problem !== undefined) errors.push(invalid(path.child("request"), printBytes(spec.request), problem));
  append(errors, validateUsages(spec.usages ?? [], old?.spec.usages ?? [], path.child("usages")));
  const legacy = `${rules.domain}/legacy-unknown`;
  const signerPath = path.child("signerName");
  if (spec.signerName === legacy && old?.spec.signerName !== legacy) {
    const why = "the legacy signerName is not allowed via this API version";
    errors.push(invalid(signerPath, spec.signerName, why));
  } else {
    append(errors, validateSignerName(signerPath, spec.signerName));
  }
  append(errors, specRules.check(spec, path, "expirationSeconds"));
  const conditions = object.status.conditions ?? [];
  const conditionsPath = FieldPath.of("status", "conditions");
  append(errors, validateConditions(conditions, old?.status.conditions ?? [], conditionsPath));
  return [...errors, ...validateCertificate(object, old)];
}

/** Which new values are allowed depends on the subresource. */
export function validateSigningRequestUpdate(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  part: "main" | "approval" | "status",
  rules: SigningRequestRules,
): FieldError[] {
  const errors = validateSigningRequest(object, old, rules);
  const path = FieldPath.of("status");
  const conditionsPath = path.child("conditions");
  for (const type of trueConditions) {
    if (conditionsOf(object, type).length < conditionsOf(old, type).length) {
      errors.push(forbidden(conditionsPath, `updates may not remove a condition of type "${type}"`));
    }
  }
  if (part !== "approval") {
    for (const type of ["Approved", "Denied"]) {
      const [after, before] = [conditionsOf(object, type), conditionsOf(old, type)];
      if (after.length > before.length) {
        errors.push(forbidden(conditionsPath, `updates may not add a condition of type "${type}"`));
      } else if (!isDeepEqual(after, before)) {
        errors.push(forbidden(conditionsPath, `updates may not modify a condition of type "${type}"`));
      }
    }
  }
  const before = old.status.certificate ?? "";
  if ((object.status.certificate ?? "") !== before) {
    if (part !== "status") {
      errors.push(forbidden(path.child("certificate"), "updates may not set certificate content"));
    } else if (before !== "") {
      const why = "updates may not modify existing certificate content";
      errors.push(forbidden(path.child("certificate"), why));
    }
  }
  return errors;
}

function conditionsOf(
  { status }: CertificateSigningRequest,
  type: string,
): CertificateSigningRequestCondition[] {
  return (status.conditions ?? []).filter((condition) => condition.type === type);
}

function validateUsages(given: readonly string[], old: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (given.length === 0) append(errors, specRules.checkValue("usages", given, path));
  const usages = specRules.supported("usages");
  const mayBeUnknown = old.some((usage) => !usages.includes(usage));
  const mayRepeat = hasDuplicates(old);
  for (const [index, usage] of given.entries()) {
    if (!mayBeUnknown && !usages.includes(usage)) errors.push(notSupported(path.index(index), usage, usages));
  }
  if (!mayRepeat) {
    for (const [index, usage] of repeated(given)) errors.push(duplicate(path.index(index), usage));
  }
  return errors;
}

function validateConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: readonly CertificateSigningRequestCondition[],
  path: FieldPath,
): FieldError[] {
  const oldTypes = old.map(({ type }) => type);
  const mayBeUnnamed = oldTypes.includes("");
  const mayContradict = oldTypes.includes("Approved") && oldTypes.includes("Denied");
  const mayRepeat = hasDuplicates(oldTypes);
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const { type, status } = condition;
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (type === "" && !mayBeUnnamed) errors.push(required(at.child("type"), ""));
    if (trueConditions.includes(type) && status !== "" && status !== "True") {
      errors.push(notSupported(at.child("status"), status, ["True"]));
    } else append(errors, conditionRules.check(condition, at, "status"));
    const opposite = type === "Approved" ? "Denied" : type === "Denied" ? "Approved" : undefined;
    if (!mayContradict && opposite !== undefined && seen.has(opposite)) {
      const why = "Approved and Denied conditions are mutually exclusive";
      errors.push(invalid(hasErrorTextsOf(34) ? path : at.child("type"), type, why));
    }
    if (!mayRepeat && seen.has(type)) errors.push(duplicate(at.child("type"), type));
    seen.add(type);
    return errors;
  });
}

function validateCertificate(
  { status }: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
): FieldError[] {
  if (old !== undefined) {
    if ((old.status.certificate ?? "") === (status.certificate ?? "")) return [];
    if (certificateProblem(old.status.certificate) !== undefined) return [];
  }
  const problem = certificateProblem(status.certificate);
  if (problem === undefined) return [];
  return [invalid(FieldPath.of("status", "certificate"), "<certificate data>", problem)];
}

function certificateProblem(certificate: string | undefined): string | undefined {
  const pem = textOf(certificate);
  if (pem === "") return undefined;
  const blocks = pemBlocks(pem);
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== "CERTIFICATE") {
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    }
    if (hasHeaders) return "no PEM block headers are permitted";
    if (bytes.length === 0) return "found CERTIFICATE PEM block containing 0 certificates";
    try {
      new X509Certificate(bytes);
    } catch {
      return "x509: malformed certificate";
    }
  }
  return undefined;
}

function hasDuplicates(items: readonly string[]): boolean {
  return new Set(items).size < items.length;
}

function textOf(base64: string | undefined): string {
  return Buffer.from(base64 ?? "", "base64").toString("latin1");
}

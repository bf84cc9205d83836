import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isOwnSigner, validateSignerName } from "../../checks/signer-name.js";
import { validateUserAnnotations } from "../../checks/user-annotations.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PodCertificateRequest, PodCertificateRequestSpec } from "../../gen/certificates-v1beta1.js";
import { certificatesV1beta1Types } from "../v1beta1/types.js";
import { validateRequestedKey } from "./requested-key.js";

const requestRules = fieldRules<PodCertificateRequest>(certificatesV1beta1Types, "PodCertificateRequest");
const specRules = fieldRules<PodCertificateRequestSpec>(
  certificatesV1beta1Types,
  "PodCertificateRequestSpec",
);
const secondsMin = 60 * 60;
const secondsMax = 91 * 24 * 60 * 60;
/** The longest lifetime of certificates by the vendor's own signers. */
const ownSecondsMax = 24 * 60 * 60;

export interface PodCertificateRules {
  readonly level: ApiLevel;
  /** The domain of the vendor's own signers; domains below it count, too. */
  readonly domain: string;
  /** The server's command. */
  readonly server: string;
}

export function validatePodCertificateRequest(
  { spec }: PodCertificateRequest,
  { level, domain }: PodCertificateRules,
): FieldError[] {
  const path = FieldPath.of("spec");
  const errors = validateSignerName(path.child("signerName"), spec.signerName);
  if (isAtLeast(level, "1.35") && spec.unverifiedUserAnnotations !== undefined) {
    append(
      errors,
      validateUserAnnotations(spec.unverifiedUserAnnotations, path.child("unverifiedUserAnnotations")),
    );
  }
  for (const bound of ["pod", "serviceAccount", "node"] as const) {
    append(errors, specRules.check(spec, path, `${bound}Name`, `${bound}UID`));
    const uid = spec[`${bound}UID`];
    if (uid === "") errors.push(invalid(path.child(`${bound}UID`), uid, "must not be empty"));
  }
  const { maxExpirationSeconds: seconds } = spec;
  if (seconds === undefined) return [...errors, ...specRules.check(spec, path, "maxExpirationSeconds")];
  const max = isOwnSigner(spec.signerName, domain) ? ownSecondsMax : secondsMax;
  if (seconds < secondsMin || seconds > max) {
    const why = `must be in the range [${secondsMin}, ${max}]`;
    errors.push(invalid(path.child("maxExpirationSeconds"), seconds, why));
  }
  append(errors, validateRequestedKey(spec, level));
  return errors;
}

/** A request never changes. */
export function validatePodCertificateRequestUpdate(
  request: PodCertificateRequest,
  old: PodCertificateRequest,
): FieldError[] {
  return requestRules.unchanged(request, old, FieldPath.root, "spec");
}

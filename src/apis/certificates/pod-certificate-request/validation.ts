import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  invalid,
  required,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import { isOwnSigner, validateSignerName } from "../../checks/signer-name.js";
import { validateUserAnnotations } from "../../checks/user-annotations.js";
import { validateObjectName } from "../../checks/value-checks.js";
import type { PodCertificateRequest } from "../../gen/certificates-v1beta1.js";
import { validateRequestedKey } from "./requested-key.js";

const uidBytesMax = 128;
const secondsMin = 60 * 60;
const secondsMax = 91 * 24 * 60 * 60;
/** Of certificates by the vendor's own signers. */
const ownSecondsMax = 24 * 60 * 60;

export interface PodCertificateRules {
  readonly level: ApiLevel;
  /** Of the vendor's own signers, and of domains below. */
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
  for (const of of ["pod", "serviceAccount", "node"] as const) {
    append(errors, validateObjectName(spec[`${of}Name`], path.child(`${of}Name`)));
    append(errors, validateUid(spec[`${of}UID`], path.child(`${of}UID`)));
  }
  const secondsPath = path.child("maxExpirationSeconds");
  const { maxExpirationSeconds: seconds } = spec;
  if (seconds === undefined) return [...errors, required(secondsPath, "must be set")];
  const max = isOwnSigner(spec.signerName, domain) ? ownSecondsMax : secondsMax;
  if (seconds < secondsMin || seconds > max) {
    errors.push(invalid(secondsPath, seconds, `must be in the range [${secondsMin}, ${max}]`));
  }
  append(errors, validateRequestedKey(spec, level));
  return errors;
}

/** A request never changes. */
export function validatePodCertificateRequestUpdate(
  request: PodCertificateRequest,
  old: PodCertificateRequest,
): FieldError[] {
  return validateImmutable(request.spec, old.spec, FieldPath.of("spec"));
}

function validateUid(uid: string, path: FieldPath): FieldError[] {
  if (uid === "") return [invalid(path, uid, "must not be empty")];
  return byteLength(uid) > uidBytesMax ? [tooLong(path, uidBytesMax)] : [];
}

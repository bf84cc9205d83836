import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import { validateLocalNonReservedPath } from "../../checks/relative-paths.js";
import { isOwnSigner, validateSignerName } from "../../checks/signer-name.js";
import { validateUserAnnotations } from "../../checks/user-annotations.js";
import { problemsAt } from "../../checks/value-checks.js";
import type { ClusterTrustBundleProjection, PodCertificateProjection } from "../../gen/core-v1.js";

/** Certificates that the node agent writes into projected volumes. */

export function validateTrustBundle(
  { name, signerName, labelSelector, path: file }: ClusterTrustBundleProjection,
  path: FieldPath,
): FieldError[] {
  const filePath = path.child("path");
  return [
    ...validateBundleSource({ name, signerName, labelSelector }, path),
    ...(file === "" ? [required(filePath, "")] : validateLocalNonReservedPath(file, filePath)),
  ];
}

function validateBundleSource(
  { name, signerName, labelSelector }: Omit<ClusterTrustBundleProjection, "path">,
  path: FieldPath,
): FieldError[] {
  if (name !== undefined && signerName !== undefined) {
    return [invalid(path, { name, signerName }, "only one of name and signerName may be used")];
  }
  if (name !== undefined) {
    const namePath = path.child("name");
    const errors =
      name === "" ? [required(namePath, "must be a valid object name")] : bundleNameErrors(name, namePath);
    if (labelSelector === undefined) return errors;
    const why = "labelSelector must be unset if name is specified";
    return [...errors, invalid(path.child("labelSelector"), labelSelector, why)];
  }
  if (signerName !== undefined) {
    const signerPath = path.child("signerName");
    return [
      ...(signerName === ""
        ? [required(signerPath, "must be a valid signer name")]
        : validateSignerName(signerPath, signerName)),
      ...validateLabelSelector(labelSelector, path.child("labelSelector")),
    ];
  }
  return [required(path, "either name or signerName must be specified")];
}

/** The bundle of a signer begins with its name. */
function bundleNameErrors(name: string, path: FieldPath): FieldError[] {
  const own = name.slice(name.lastIndexOf(":") + 1);
  const problems = nameIsDnsSubdomain(own, false).map((why) => `not a valid clustertrustbundlename: ${why}`);
  return problemsAt(path, name, problems);
}

const keyTypes = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const certificateSecondsMin = 60 * 60;
const certificateSecondsMax = 91 * 24 * 60 * 60;
const ownSecondsMax = 24 * 60 * 60;

/** `claim` takes a path of the volume, or says that another source has it. `domain` is that of the vendor's own signers. */
export function validatePodCertificate(
  certificate: PodCertificateProjection,
  path: FieldPath,
  domain: string,
  claim: (file: string) => readonly FieldError[],
): FieldError[] {
  const { signerName = "", keyType = "", maxExpirationSeconds: seconds, userAnnotations } = certificate;
  const errors = validateSignerName(path.child("signerName"), signerName);
  if (userAnnotations !== undefined) {
    append(errors, validateUserAnnotations(userAnnotations, path.child("userAnnotations")));
  }
  if (!keyTypes.includes(keyType)) errors.push(notSupported(path.child("keyType"), keyType, keyTypes));
  const secondsPath = path.child("maxExpirationSeconds");
  if (seconds !== undefined && seconds < certificateSecondsMin) {
    const why = `if provided, maxExpirationSeconds must be >= ${certificateSecondsMin}`;
    errors.push(invalid(secondsPath, seconds, why));
  }
  const max = isOwnSigner(signerName, domain) ? ownSecondsMax : certificateSecondsMax;
  if (seconds !== undefined && seconds > max) {
    errors.push(invalid(secondsPath, seconds, `if provided, maxExpirationSeconds must be <= ${max}`));
  }
  const files = fileFields.filter((field) => (certificate[field] ?? "") !== "");
  for (const field of files) {
    const file = certificate[field] ?? "";
    append(errors, validateLocalNonReservedPath(file, path.child(field)));
    append(errors, claim(file));
  }
  if (files.length > 0) return errors;
  const why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
  return [...errors, required(path, why)];
}

const fileFields = ["credentialBundlePath", "keyPath", "certificateChainPath"] as const;

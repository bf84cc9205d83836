import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import { printLabelSelector } from "../../checks/printed-values.js";
import { isOwnSigner, validateSignerName } from "../../checks/signer-name.js";
import { validateUserAnnotations } from "../../checks/user-annotations.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ClusterTrustBundleProjection, PodCertificateProjection } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

/** Certificates that the node agent writes into projected volumes. */

const bundleRules = fieldRules<ClusterTrustBundleProjection>(coreV1Types, "ClusterTrustBundleProjection");
const certificateRules = fieldRules<PodCertificateProjection>(coreV1Types, "PodCertificateProjection");

export function validateTrustBundle(bundle: ClusterTrustBundleProjection, path: FieldPath): FieldError[] {
  return [...validateBundleSource(bundle, path), ...bundleRules.check(bundle, path, "path")];
}

function validateBundleSource(bundle: ClusterTrustBundleProjection, path: FieldPath): FieldError[] {
  const { name, signerName, labelSelector } = bundle;
  if (name !== undefined && signerName !== undefined) {
    return [invalid(path, printBundle(bundle), "only one of name and signerName may be used")];
  }
  if (name !== undefined) {
    const errors = bundleRules.check(bundle, path, "name");
    if (name !== "") append(errors, bundleNameErrors(name, path.child("name")));
    if (labelSelector === undefined) return errors;
    const why = "labelSelector must be unset if name is specified";
    return [...errors, invalid(path.child("labelSelector"), labelSelector, why)];
  }
  if (signerName !== undefined) {
    return [
      ...bundleRules.check(bundle, path, "signerName"),
      ...(signerName === "" ? [] : validateSignerName(path.child("signerName"), signerName)),
      ...validateLabelSelector(labelSelector, path.child("labelSelector")),
    ];
  }
  return [required(path, "either name or signerName must be specified")];
}

function printBundle(bundle: ClusterTrustBundleProjection): PrintedValue {
  const { name, signerName, labelSelector, optional, path } = bundle;
  return printStruct("core.ClusterTrustBundleProjection", {
    Name: printPointer("string", name),
    SignerName: printPointer("string", signerName),
    LabelSelector: printPointer("v1.LabelSelector", labelSelector && printLabelSelector(labelSelector)),
    Optional: printPointer("bool", optional),
    Path: path,
  });
}

/** The name of a signer's bundle begins with the signer's name. */
function bundleNameErrors(name: string, path: FieldPath): FieldError[] {
  const own = name.slice(name.lastIndexOf(":") + 1);
  const problems = nameIsDnsSubdomain(own, false).map((why) => `not a valid clustertrustbundlename: ${why}`);
  return problemsAt(path, name, problems);
}

const certificateSecondsMax = 91 * 24 * 60 * 60;
const ownSecondsMax = 24 * 60 * 60;

/** `claim` registers a path in the volume, or reports that another source has it. `domain` is the vendor's, for its own signers. */
export function validatePodCertificate(
  certificate: PodCertificateProjection,
  path: FieldPath,
  domain: string,
  claim: (file: string) => readonly FieldError[],
): FieldError[] {
  const { signerName = "", maxExpirationSeconds: seconds, userAnnotations } = certificate;
  const errors = validateSignerName(path.child("signerName"), signerName);
  if (userAnnotations !== undefined) {
    append(errors, validateUserAnnotations(userAnnotations, path.child("userAnnotations")));
  }
  append(errors, certificateRules.check(certificate, path, "keyType", "maxExpirationSeconds"));
  const max = isOwnSigner(signerName, domain) ? ownSecondsMax : certificateSecondsMax;
  if (seconds !== undefined && seconds > max) {
    const why = `if provided, maxExpirationSeconds must be <= ${max}`;
    errors.push(invalid(path.child("maxExpirationSeconds"), seconds, why));
  }
  const files = fileFields.filter((field) => (certificate[field] ?? "") !== "");
  for (const field of files) {
    append(errors, certificateRules.check(certificate, path, field));
    append(errors, claim(certificate[field] ?? ""));
  }
  if (files.length > 0) return errors;
  const why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
  return [...errors, required(path, why)];
}

const fileFields = ["credentialBundlePath", "keyPath", "certificateChainPath"] as const;

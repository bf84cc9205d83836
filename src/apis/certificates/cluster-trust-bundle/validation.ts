import { X509Certificate } from "node:crypto";
import { addToList } from "../../../apimachinery/collections/groups.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import { type PemBlock, pemBlocks } from "../../checks/pem-blocks.js";
import { validateSignerName } from "../../checks/signer-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ClusterTrustBundle, ClusterTrustBundleSpec } from "../../gen/certificates-v1beta1.js";
import { certificatesV1beta1Types } from "../v1beta1/types.js";

const rules = fieldRules<ClusterTrustBundleSpec>(certificatesV1beta1Types, "ClusterTrustBundleSpec");
const specPath = FieldPath.of("spec");
const signerPath = FieldPath.of("spec", "signerName");
const bundlePath = FieldPath.of("spec", "trustBundle");
const valueOmitted = "<value omitted>";

export function validateTrustBundle({ metadata, spec }: ClusterTrustBundle): FieldError[] {
  const { signerName = "", trustBundle } = spec;
  return [
    ...validateNames(metadata, signerName),
    ...(signerName === "" ? [] : validateSignerName(signerPath, signerName)),
    ...validateAnchors(trustBundle),
  ];
}

export function validateTrustBundleUpdate(object: ClusterTrustBundle, old: ClusterTrustBundle): FieldError[] {
  const { signerName = "", trustBundle } = object.spec;
  return [
    ...validateNames(object.metadata, signerName),
    ...(signerName === "" ? [] : validateSignerName(signerPath, signerName)),
    // An unchanged bundle stays valid.
    ...(trustBundle === old.spec.trustBundle ? [] : validateAnchors(trustBundle)),
    ...rules.unchanged(object.spec, old.spec, specPath, "signerName"),
  ];
}

/** `example.com:signer:name` for the signer `example.com/signer`, and no colon without a signer. */
function validateNames({ name = "", generateName = "" }: ObjectMeta, signerName: string): FieldError[] {
  const path = FieldPath.of("metadata");
  const errorsOf = (field: string, value: string, isPrefix: boolean): FieldError[] =>
    // A missing name is reported elsewhere.
    value === ""
      ? []
      : nameProblems(value, isPrefix, signerName).map((problem) =>
          invalid(path.child(field), value, problem),
        );
  return [...errorsOf("generateName", generateName, true), ...errorsOf("name", name, false)];
}

function nameProblems(name: string, isPrefix: boolean, signerName: string): string[] {
  if (signerName === "") {
    return name.includes(":")
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : nameIsDnsSubdomain(name, isPrefix);
  }
  const prefix = `${signerName.replaceAll("/", ":")}:`;
  return name.startsWith(prefix)
    ? nameIsDnsSubdomain(name.slice(prefix.length), isPrefix)
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}

function validateAnchors(text: string): FieldError[] {
  const tooLong = rules.checkValue("trustBundle", text, bundlePath);
  if (tooLong.length > 0) return tooLong;
  const errors: FieldError[] = [];
  const indices = new Map<string, number[]>();
  for (const [index, block] of pemBlocks(text).entries()) {
    const problem = anchorProblem(block);
    if (problem !== undefined) {
      errors.push(invalid(bundlePath, valueOmitted, `entry ${index} ${problem}`));
      continue;
    }
    const key = Buffer.from(block.bytes).toString("base64");
    addToList(indices, key, index);
  }
  if (errors.length > 0) return errors;
  if (indices.size === 0) {
    return [invalid(bundlePath, valueOmitted, "at least one trust anchor must be provided")];
  }
  return [...indices.values()]
    .filter((same) => same.length > 1)
    .map((same) => invalid(bundlePath, valueOmitted, `duplicate trust anchor (indices [${same.join(" ")}])`));
}

function anchorProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== "CERTIFICATE") return `has bad block type: ${type}`;
  if (hasHeaders) return "has PEM block headers";
  try {
    return new X509Certificate(bytes).ca ? undefined : "does not have the CA bit set";
  } catch {
    return "does not parse as X.509";
  }
}

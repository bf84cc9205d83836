import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import {
  type FieldError,
  FieldPath,
  invalid,
  invalidUnprinted,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { printBytes } from "../../../apimachinery/errors/printed-structs.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { derElements } from "../../../apimachinery/values/der.js";
import type { PodCertificateRequestSpec } from "../../gen/certificates-v1beta1.js";
import { readRequest, type SignedRequest } from "../certificate-signing-request/request-signature.js";

const keyBytesMax = 10 * 1024;
const specPath = FieldPath.of("spec");
const keyPath = specPath.child("pkixPublicKey");
const proofPath = specPath.child("proofOfPossession");
const stubPath = specPath.child("stubPKCS10Request");

type KeyParts = Pick<PodCertificateRequestSpec, "pkixPublicKey" | "proofOfPossession" | "stubPKCS10Request">;

/** Checks the key to certify and the proof that the pod's node has its private key. */
export function validateRequestedKey(
  spec: KeyParts & { readonly podUID: string },
  level: ApiLevel,
): FieldError[] {
  if (!isAtLeast(level, "1.36")) return validateKeyAndProof(spec);
  const [hasKey, hasProof, hasStub] = [
    spec.pkixPublicKey,
    spec.proofOfPossession,
    spec.stubPKCS10Request,
  ].map((value = "") => value !== "");
  if (hasStub && !hasKey && !hasProof) return validateStub(bytesOf(spec.stubPKCS10Request));
  if (!hasStub && hasKey && hasProof) return validateKeyAndProof(spec);
  const why = "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
  return [invalidUnprinted(specPath, why)];
}

export type RequestedKey =
  | { readonly kind: "key"; readonly key: KeyObject }
  | { readonly kind: "problem"; readonly error: FieldError };

/** The key of a stored request. */
export function requestedKey({ pkixPublicKey, stubPKCS10Request = "" }: KeyParts): RequestedKey {
  if (stubPKCS10Request !== "") {
    const stub = readStub(bytesOf(stubPKCS10Request));
    if (stub !== undefined) return { kind: "key", key: stub.publicKey };
    return { kind: "problem", error: invalidUnprinted(stubPath, "must be a valid PKCS#10 CSR") };
  }
  const key = readKey(bytesOf(pkixPublicKey));
  if (key !== undefined) return { kind: "key", key };
  return { kind: "problem", error: invalid(keyPath, printBytes(pkixPublicKey), notPkix) };
}

const notPkix = "must be a valid PKIX-serialized public key";
const unknownType = "unknown public key type; supported types are Ed25519, ECDSA, and RSA";

function validateKeyAndProof(spec: KeyParts & { readonly podUID: string }): FieldError[] {
  const [bytes, proof] = [bytesOf(spec.pkixPublicKey), bytesOf(spec.proofOfPossession)];
  if (bytes.length > keyBytesMax) return [tooLong(keyPath, keyBytesMax)];
  if (proof.length > keyBytesMax) return [tooLong(proofPath, keyBytesMax)];
  const key = readKey(bytes);
  if (key === undefined) return [invalid(keyPath, printBytes(spec.pkixPublicKey), notPkix)];
  const problem = keyProblem(key, keyPath, "elliptic public keys must use curve P256 or P384");
  if (problem === "unknown") return [invalid(keyPath, printBytes(spec.pkixPublicKey), unknownType)];
  if (problem !== undefined) return [problem];
  return isProven(key, spec.podUID, proof)
    ? []
    : [invalidUnprinted(proofPath, "could not verify proof-of-possession signature")];
}

/** A stub request: only its key and signature matter. */
function validateStub(bytes: Uint8Array): FieldError[] {
  if (bytes.length > keyBytesMax) return [tooLong(stubPath, keyBytesMax)];
  const stub = readStub(bytes);
  if (stub === undefined) return [invalidUnprinted(stubPath, "must be a valid PKCS#10 CSR")];
  const curves = "elliptic public keys must use curve P256, P384, or P521";
  const problem = keyProblem(stub.publicKey, stubPath, curves);
  if (problem === "unknown") return [invalidUnprinted(stubPath, unknownType)];
  if (problem !== undefined) return [problem];
  return stub.signatureProblem() === undefined ? [] : [invalidUnprinted(stubPath, "invalid signature")];
}

const curveNames: ReadonlyMap<string, string> = new Map([
  ["prime256v1", "P-256"],
  ["secp384r1", "P-384"],
  ["secp521r1", "P-521"],
  ["secp224r1", "P-224"],
]);
const supportedCurves: readonly (string | undefined)[] = ["P-256", "P-384", "P-521"];
const rsaBits: readonly (number | undefined)[] = [3072, 4096];

function keyProblem(key: KeyObject, path: FieldPath, curves: string): FieldError | "unknown" | undefined {
  const { namedCurve = "", modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "ed25519":
      return undefined;
    case "ec": {
      const curve = curveNames.get(namedCurve);
      return supportedCurves.includes(curve) ? undefined : invalid(path, `curve ${curve}`, curves);
    }
    case "rsa": {
      const bits = Math.ceil(modulusLength / 8) * 8;
      if (rsaBits.includes(bits)) return undefined;
      return invalid(path, `${bits}-bit modulus`, "RSA keys must have modulus size 3072 or 4096");
    }
    default:
      return "unknown";
  }
}

/** Whether the key has signed the pod's UID: RSA keys with PSS, elliptic curve keys its hash. */
function isProven(key: KeyObject, podUid: string, proof: Uint8Array): boolean {
  const isRsa = key.asymmetricKeyType === "rsa";
  const options = isRsa
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : { key };
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", Buffer.from(podUid), options, proof);
  } catch {
    return false;
  }
}

/** Undefined for anything but a public key, and for curves that Go's library does not support. */
function readKey(bytes: Uint8Array): KeyObject | undefined {
  try {
    if (derElements(bytes).length !== 1) return undefined;
    const key = createPublicKey({ key: Buffer.from(bytes), format: "der", type: "spki" });
    const { namedCurve } = key.asymmetricKeyDetails ?? {};
    return namedCurve === undefined || curveNames.has(namedCurve) ? key : undefined;
  } catch {
    return undefined;
  }
}

function readStub(bytes: Uint8Array): SignedRequest | undefined {
  try {
    return readRequest(bytes);
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string | undefined): Uint8Array {
  return Buffer.from(base64 ?? "", "base64");
}

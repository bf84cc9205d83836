import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type DerElement, derElements, derSequence } from "../../../apimachinery/values/der.js";
import { pemBlocks } from "../../checks/pem-blocks.js";

/** Hash functions by signature algorithm: the content of its object identifier, in hexadecimal. */
const hashes: ReadonlyMap<string, string | null> = new Map([
  ["2a864886f70d010105", "sha1"],
  ["2a864886f70d01010b", "sha256"],
  ["2a864886f70d01010c", "sha384"],
  ["2a864886f70d01010d", "sha512"],
  ["2a8648ce3d0401", "sha1"],
  ["2a8648ce3d040302", "sha256"],
  ["2a8648ce3d040303", "sha384"],
  ["2a8648ce3d040304", "sha512"],
  ["2b6570", null],
]);

const rsaPss = "2a864886f70d01010a";
/** Hash functions in the parameters of RSA-PSS. */
const pssHashes: readonly (readonly [string, string])[] = [
  ["608648016503040201", "sha256"],
  ["608648016503040202", "sha384"],
  ["608648016503040203", "sha512"],
];

/**
 * The error of a PKCS #10 request (RFC 2986) in a PEM block; undefined when the request is well formed and signed with the key that it
 * contains.
 */
export function requestProblem(pem: string): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  try {
    return readRequest(block.bytes).signatureProblem();
  } catch (error) {
    return error instanceof TrailingData
      ? "asn1: syntax error: trailing data"
      : "asn1: structure error: the block is no certificate request";
  }
}

class TrailingData extends Error {}

export interface SignedRequest {
  readonly publicKey: KeyObject;
  /** The error of the signature; undefined if that key made it. */
  signatureProblem(): string | undefined;
}

/** Reads a PKCS #10 request in DER. Throws if it is malformed. */
export function readRequest(bytes: Uint8Array): SignedRequest {
  const [request, ...trailing] = derElements(bytes);
  if (trailing.length > 0) throw new TrailingData("there is more than a request");
  const [info, algorithm, signature] = derSequence(request);
  const key = derSequence(info)[2];
  const [identifier, parameters] = derSequence(algorithm);
  if (info === undefined || key === undefined || identifier === undefined || signature?.tag !== 3) {
    throw new RangeError("a part of the request is missing");
  }
  const publicKey = createPublicKey({ key: Buffer.from(key.bytes), format: "der", type: "spki" });
  return {
    publicKey,
    signatureProblem() {
      const name = Buffer.from(identifier.content).toString("hex");
      const isPss = name === rsaPss;
      const hash = isPss ? pssHash(parameters) : hashes.get(name);
      if (hash === undefined) return "x509: cannot verify signature: algorithm unimplemented";
      const options = {
        key: publicKey,
        ...(isPss && {
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_AUTO,
        }),
      };
      // The first byte of a bit string counts its unused bits.
      const isSigned = verify(hash, info.bytes, options, signature.content.subarray(1));
      return isSigned ? undefined : mismatch(publicKey);
    },
  };
}

function pssHash(parameters: DerElement | undefined): string | undefined {
  const hex = Buffer.from(parameters?.content ?? []).toString("hex");
  return pssHashes.find(([identifier]) => hex.includes(identifier))?.[1];
}

function mismatch(key: KeyObject): string {
  switch (key.asymmetricKeyType) {
    case "ec":
      return "x509: ECDSA verification failure";
    case "ed25519":
      return "x509: Ed25519 verification failure";
    default:
      return "crypto/rsa: verification error";
  }
}

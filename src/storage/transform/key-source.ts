import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { validateFullyQualifiedDomainName } from "../../apimachinery/validation/dns-names.js";
import { labelHash } from "../../telemetry/label-hash.js";

/** What the service decrypts to read a value. DO NOT CHANGE THESE NUMBERS: they are stored with each value. */
export const keySourceType = {
  /** The key itself, of AES-GCM. */
  key: 0,
  /** A seed, from which HKDF-SHA256 derives a separate key for each value. */
  seed: 1,
} as const;
export type KeySourceType = (typeof keySourceType)[keyof typeof keySourceType];

/** What is stored with a value, and sent to the service to get the key or seed. */
export interface KeySource {
  readonly type: KeySourceType;
  readonly encrypted: Uint8Array;
  /** ID of the service's own key. */
  readonly keyId: string;
  /** The service's annotations of this source. */
  readonly annotations: ReadonlyMap<string, Uint8Array>;
}

const encryptedBytesMax = 1024;
const keyIdBytesMax = 1024;
const annotationBytesMax = 32 * 1024;

/** Throws with what is wrong with the source. Source: apiserver `pkg/storage/value/encrypt/envelope/kmsv2/envelope.go`. */
export function validateKeySource({ encrypted, keyId, annotations }: KeySource): void {
  if (encrypted.length === 0) {
    throw new Error("failed to validate encrypted DEK source: encrypted DEK source is empty");
  }
  if (encrypted.length > encryptedBytesMax) {
    throw new Error(
      `failed to validate encrypted DEK source: encrypted DEK source is ${encrypted.length} bytes, which exceeds the max size of ${encryptedBytesMax}`,
    );
  }
  const problem = keyIdProblem(keyId);
  if (problem !== undefined) throw new Error(`failed to validate key id: ${problem.text}`);
  let bytes = 0;
  const path = FieldPath.of("annotations");
  const errors = [...annotations].flatMap(([name, value]) => {
    bytes += Buffer.byteLength(name) + value.length;
    return validateFullyQualifiedDomainName(path, name);
  });
  const size =
    bytes > annotationBytesMax
      ? [`total size of annotations is ${bytes}, which exceeds the max size of ${annotationBytesMax}`]
      : [];
  if (errors.length + size.length > 0) {
    throw new Error(`failed to validate annotations: ${aggregate(errors, ...size)}`);
  }
}

export interface KeyIdProblem {
  readonly code: "empty" | "too_long";
  readonly text: string;
}

export function keyIdProblem(keyId: string): KeyIdProblem | undefined {
  if (keyId === "") return { code: "empty", text: "keyID is empty" };
  const bytes = Buffer.byteLength(keyId);
  if (bytes <= keyIdBytesMax) return undefined;
  const text = `keyID is ${bytes} bytes, which exceeds the max size of ${keyIdBytesMax}`;
  return { code: "too_long", text };
}

/** Equal for equal sources. */
export function keyOfSource({ type, encrypted, keyId, annotations }: KeySource): string {
  const parts = [String(type), Buffer.from(encrypted).toString("latin1"), keyId];
  for (const name of [...annotations.keys()].sort()) {
    parts.push(name, Buffer.from(annotations.get(name) ?? []).toString("latin1"));
  }
  return parts.map((part) => `${part.length}:${part}`).join("");
}

/** A hash of a key ID, which may be secret, for logs and metrics. */
export function keyIdHash(keyId: string): string {
  return keyId === "" ? "" : labelHash(keyId);
}

import type { EnvelopeObserver, TransformationDirection } from "./envelope-transformer.js";
import type { KeyIdProblem } from "./key-source.js";

/** Receives the encryption and decryption of stored values. */
export interface TransformationObserver extends EnvelopeObserver {
  /**
   * `prefix`: the prefix of encrypted values, which names the provider; empty for unencrypted ones. `resource`: as in `deployments.apps`.
   */
  transformed(
    direction: TransformationDirection,
    of: { readonly prefix: string; readonly resource: string },
    milliseconds: number,
    isOk: boolean,
  ): void;
  /** For one key service of version 2. */
  ofService(name: string): KmsObserver;
}

/** Receives what happens to a key service and its own keys. */
export interface KmsObserver {
  /** `method`: its path; `status`: gRPC's code. */
  called(method: string, milliseconds: number, status: number): void;
  keyUsed(direction: TransformationDirection, keyId: string): void;
  /** The status of the service named this key. */
  keyIdSeen(keyId: string): void;
  keyIdRefused(code: KeyIdProblem["code"]): void;
  /** How many decrypted keys are cached. */
  keysKnown(keys: number): void;
}

import type { EnvelopeObserver, TransformationDirection } from "./envelope-transformer.js";
import type { KeyIdProblem } from "./key-source.js";

/** Is told of the encryption and decryption of stored values. */
export interface TransformationObserver extends EnvelopeObserver {
  /**
   * `prefix`: what encrypted values begin with, which names the provider; empty for those stored as they are. `resource`: as in
   * `deployments.apps`.
   */
  transformed(
    direction: TransformationDirection,
    of: { readonly prefix: string; readonly resource: string },
    milliseconds: number,
    isOk: boolean,
  ): void;
  /** Of one key service of version 2. */
  ofService(name: string): KmsObserver;
}

/** Is told of a key service and of its own keys. */
export interface KmsObserver {
  /** `method`: its path; `status`: gRPC's code. */
  called(method: string, milliseconds: number, status: number): void;
  keyUsed(direction: TransformationDirection, keyId: string): void;
  /** The status of the service named this key. */
  keyIdSeen(keyId: string): void;
  keyIdRefused(code: KeyIdProblem["code"]): void;
  /** How many decrypted keys are remembered. */
  keysKnown(keys: number): void;
}

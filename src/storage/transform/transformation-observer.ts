import type { EnvelopeObserver, TransformationDirection } from "./envelope-transformer.js";

/** Is told of the encryption and decryption of stored values. */
export interface TransformationObserver extends EnvelopeObserver {
  /** `prefix`: what encrypted values begin with, which names the provider; empty for those stored as they are. */
  transformed(direction: TransformationDirection, prefix: string, milliseconds: number, isOk: boolean): void;
}

/** Is told of the encryption and decryption of stored values. */
export interface TransformationObserver {
  /** `prefix`: what encrypted values begin with, which names the provider; empty for those stored as they are. */
  transformed(direction: TransformationDirection, prefix: string, milliseconds: number, isOk: boolean): void;
  /** A key had to be decrypted by its service. */
  keyMissed(): void;
}

export type TransformationDirection = "to_storage" | "from_storage";

import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { Clock } from "../../time/clock.js";
import type { EncryptionConfigFormat } from "./encryption-config.js";
import type { SharedSeeds } from "./shared-seed.js";
import type { TransformationObserver } from "./transformation-observer.js";

export interface EncryptionOptions extends EncryptionConfigFormat {
  /** Path of the file, for messages. */
  readonly file: string;
  /** What every encrypted value begins with: `<vendor>:enc:`. */
  readonly encryptedPrefix: string;
  readonly isEnabled: (gate: FeatureGateName) => boolean;
  readonly clock?: Clock | undefined;
  readonly observer: TransformationObserver;
  /** Seeds of another thread of this server, which this one uses too. */
  readonly seeds?: SharedSeeds | undefined;
  /** Called when the seeds to share have changed. */
  readonly seedChanged?: (() => void) | undefined;
  /** Receives messages for the operator. */
  readonly notice: (text: string) => void;
}

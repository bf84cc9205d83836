import type { AdmissionOperation } from "./admission-attributes.js";

/** As metrics call the two halves of admission. */
export type AdmissionStep = "admit" | "validate";

/** Called after each run, with its time in milliseconds. */
export type Timing = (durationMs: number, isRejected: boolean) => void;

/** Is told how long admission takes. Both are asked once for each combination, when a chain is made. */
export interface AdmissionObserver {
  plugin(name: string, step: AdmissionStep, operation: AdmissionOperation): Timing;
  /** All plugins of a step, second passes included. */
  step(step: AdmissionStep, operation: AdmissionOperation): Timing;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

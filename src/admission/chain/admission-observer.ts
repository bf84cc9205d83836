import type { AdmissionOperation } from "./admission-attributes.js";

/** The two halves of admission, by their names in metrics. */
export type AdmissionStep = "admit" | "validate";

/** Called after each run. */
export type Timing = (durationMs: number, isRejected: boolean) => void;

/** Measures admission. `plugin` and `step` are called once per combination, when a chain is created. */
export interface AdmissionObserver {
  plugin(name: string, step: AdmissionStep, operation: AdmissionOperation): Timing;
  /** All plugins of a step, including second passes. */
  step(step: AdmissionStep, operation: AdmissionOperation): Timing;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

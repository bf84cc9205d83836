import type { RunWork } from "./run-work.js";

/** The request, or the write of it, for which objects are converted. A conversion that calls out ends with it. */
export interface ConversionScope {
  readonly signal: AbortSignal;
}

/** The request for which many objects are read and converted. */
export interface ReadScope extends ConversionScope {
  /** For the work on each object. */
  readonly runWork: RunWork;
}

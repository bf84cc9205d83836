import type { RunWork } from "./run-work.js";

/** The request, or its write, for which objects are converted. A conversion that calls a webhook ends with it. */
export interface ConversionScope {
  readonly signal: AbortSignal;
}

/** The request for which many objects are read and converted. */
export interface ReadScope extends ConversionScope {
  /** Runs the work on each object. */
  readonly runWork: RunWork;
}

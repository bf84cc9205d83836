import type { RunWork } from "./run-work.js";

/** The request or write that needs objects converted. Calls to conversion webhooks end with it. */
export interface ConversionScope {
  readonly signal: AbortSignal;
  /** Adds a warning to the response. */
  warn?(text: string): void;
}

/** The request for which many objects are read and converted. */
export interface ReadScope extends ConversionScope {
  /** Runs `work` for each object. */
  readonly runWork: RunWork;
}

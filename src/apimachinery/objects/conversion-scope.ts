import type { RunWork } from "./run-work.js";

/** The request or write that needs objects converted. Calls to conversion webhooks end with it. */
export interface ConversionScope {
  readonly signal: AbortSignal;
  /** Tells the client what is wrong with an object that it may write. */
  warn?(text: string): void;
}

/** The request for which many objects are read and converted. */
export interface ReadScope extends ConversionScope {
  /** Runs `work` for each object. */
  readonly runWork: RunWork;
}

import type { WriteContext } from "../../apis/definition/strategy.js";

/** What the registry needs to know of a request; all writes of one request share it. */
export interface RegistryContext extends WriteContext {
  /** Aborted when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Between the steps of a write that takes long: waits until others had their turn. Rejects once `signal` has aborted. */
  takeTurn?(): Promise<void> | undefined;
}

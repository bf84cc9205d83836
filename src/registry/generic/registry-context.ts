import type { WriteContext } from "../../apis/definition/strategy.js";
import type { TakeTurn } from "../../storage/object-store.js";

/** What the registry needs to know of a request, shared by all of its writes. */
export interface RegistryContext extends WriteContext {
  /** Of the server's own writes: who manages the fields. Those of requests are tracked before they come here. */
  readonly fieldManager?: string | undefined;
  /** Aborted when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Tells the size of the object that the write is about. */
  handles?(bytes: number): void;
  /**
   * Call between long steps of a write: lets other requests have a turn. Rejects once `signal` has aborted. `parts` counts the work since
   * the last call, 1 by default.
   */
  takeTurn?(parts?: number): Promise<void> | undefined;
}

/** The turns of a write, as the store takes them. */
export function turnsOf(context: RegistryContext): TakeTurn {
  return (parts) => context.takeTurn?.(parts);
}

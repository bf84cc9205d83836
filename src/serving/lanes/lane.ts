import type { FromLane, ToLane } from "./lane-messages.js";

/** Why a thread ended that was not asked to. */
export type LaneEnd = { readonly kind: "outOfMemory" } | { readonly kind: "failed"; readonly error: Error };

/** A thread that answers requests. */
export interface LaneThread {
  post(message: ToLane): void;
  onMessage(listener: (message: FromLane) => void): void;
  /** Called once, unless `end` was called. */
  onEnd(listener: (end: LaneEnd) => void): void;
  /** Whether a request of this thread has written to the store, or may have. */
  hasWritten(request: number): boolean;
  /** The request is answered. */
  forget(request: number): void;
  /** Ends the thread wherever it is. */
  end(): void;
}

export type OpenLane = () => LaneThread;

import type { FromLane, ToLane } from "./lane-messages.js";

/** Why a thread ended by itself. */
export type LaneEnd = { readonly kind: "outOfMemory" } | { readonly kind: "failed"; readonly error: Error };

/** A thread that answers requests. */
export interface LaneThread {
  post(message: ToLane): void;
  onMessage(listener: (message: FromLane) => void): void;
  /** Called once when the thread ends by itself. */
  onEnd(listener: (end: LaneEnd) => void): void;
  /** Whether a request on this thread has written to the store, or may have. */
  hasWritten(request: number): boolean;
  /** Frees the state of an answered request. */
  forget(request: number): void;
  /** Terminates the thread, whatever it is doing. */
  end(): void;
}

export type OpenLane = () => LaneThread;

import type { FromReader } from "./reader-messages.js";

/** Why a thread ended without being closed. */
export interface ReaderEnd {
  /** `silence`: its event loop stopped; `start`: it never served. */
  readonly reason: "failure" | "silence" | "start";
  readonly error: Error;
}

/** What a reader has counted. */
export type ReaderCounts = Pick<Extract<FromReader, { kind: "told" }>, "changes" | "gauges">;

/** A thread that serves. */
export interface Reader {
  /** Resolves when it serves; rejects when it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended, with the reason unless it was closed. */
  readonly ended: Promise<ReaderEnd | undefined>;
  /** Connections that it was given and that have not ended; infinite while it does not serve, or its event loop is stuck. */
  readonly connections: number;
  /** Makes it serve a connection that this thread has accepted. The caller still owns the descriptor. */
  handOver(descriptor: number): void;
  /** What was counted since the last call. Never resolves when the thread has ended. */
  tell(): Promise<ReaderCounts>;
  /** Resolves when earlier requests are answered, at the latest after the maximum time of a drain. */
  drain(): Promise<void>;
  close(graceMs: number): Promise<void>;
}

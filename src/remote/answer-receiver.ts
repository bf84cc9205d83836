import type { Readable } from "node:stream";

/** A request whose body and answer pass through as they arrive. */
export interface PassedRequest {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  /** Names in lower case; `host` is among them. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Destroyed when the request fails. */
  readonly body?: Readable | undefined;
  /** Ends the request, and its answer. */
  readonly signal: AbortSignal;
}

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Takes an answer as it arrives. */
export interface AnswerReceiver {
  /** Called once, first. Names are in lower case. */
  begin(status: number, headers: AnswerHeaders): void;
  /** False asks to wait for `drained`. */
  write(piece: Uint8Array): boolean;
  drained(): Promise<void>;
}

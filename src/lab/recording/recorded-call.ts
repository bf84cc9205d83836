import type { JsonValue } from "../../apimachinery/json/json-value.js";

/** One request of a run and its answer, without secrets. A recording has one on each line, in the order of the answers. */
export interface RecordedCall {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly user: RecordedUser;
  readonly userAgent: string;
  readonly contentType?: string | undefined;
  /** Where another form than the objects was asked for, such as a table. */
  readonly accept?: string | undefined;
  readonly body?: RecordedBody | undefined;
  readonly status: number;
  readonly answer?: RecordedBody | undefined;
}

/** In effect, after impersonation. */
export interface RecordedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What was sent, as JSON whatever it was sent as, if it is of a bearable size; otherwise why it is left out. */
export type RecordedBody = { readonly json: JsonValue } | { readonly omitted: string };

/** Larger bodies are left out: reading one would hold everybody else. */
export const recordedBodyBytesMax = 512 * 1024;

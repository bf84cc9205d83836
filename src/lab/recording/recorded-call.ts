import type { JsonValue } from "../../apimachinery/json/json-value.js";

/** One request of a run and its answer, without secrets. A recording has one on each line, in the order of the answers. */
export interface RecordedCall {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly user: RecordedUser;
  readonly userAgent: string;
  readonly contentType?: string | undefined;
  /** Set when another form than the objects was requested, such as a table. */
  readonly accept?: string | undefined;
  readonly body?: RecordedBody | undefined;
  readonly status: number;
  readonly answer?: RecordedBody | undefined;
}

/** The user in effect, after impersonation. */
export interface RecordedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The body, converted to JSON, or why it was left out. */
export type RecordedBody = { readonly json: JsonValue } | { readonly omitted: string };

/** Larger bodies are left out, because reading one would hold up everybody else. */
export const recordedBodyBytesMax = 512 * 1024;

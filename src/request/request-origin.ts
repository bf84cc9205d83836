/** What a request needs of the connection that it came over; `serving/http` supplies it. */
export interface RequestOrigin {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly remoteAddress: string;
  /** Aborts when the client is gone before the answer was complete. Made when first asked for. */
  readonly signal: AbortSignal;
  /** The status of the answer, 0 before it begins. */
  readonly statusCode: number;
  /** Each value of a header that may be repeated, in the order sent; `name` in lower case. */
  headerValues(name: string): readonly string[];
  /** Adds a header to whichever answer is sent later. Repeating a name sends several lines. */
  addResponseHeader(name: string, value: string): void;
  /** Takes back all that was added under a name, which is spelled as it was then. */
  removeResponseHeader(name: string): void;
  /** Calls `listener` once, just before the head of the answer leaves; at once when it has left. */
  onStarted(listener: () => void): void;
  /** Calls `listener` once when the answer is complete or the client gone. */
  onFinished(listener: () => void): void;
}

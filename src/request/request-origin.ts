/** What a request needs to know about its connection; `serving/http` supplies it. */
export interface RequestOrigin {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly connection: { readonly remoteAddress: string };
  /** Aborts when the client disconnects before the answer is complete. Created on first access. */
  readonly signal: AbortSignal;
  /** The status of the answer, 0 before it begins. */
  readonly statusCode: number;
  /** Each value of a repeatable header, in the order sent; `name` in lower case. */
  headerValues(name: string): readonly string[];
  /** Adds a header to the answer, whichever that will be. Repeating a name sends several lines. */
  addResponseHeader(name: string, value: string): void;
  /** Removes everything that was added under this exact name. */
  removeResponseHeader(name: string): void;
  /** Calls `listener` once, just before the head of the answer is sent; at once when it has been sent. */
  onStarted(listener: () => void): void;
  /** Calls `listener` once when the answer is complete or the client has gone. */
  onFinished(listener: () => void): void;
}

/** Takes the ended spans of a server away from its main thread. */
export interface SpanOutlet {
  /** `batch`: the JSON of an array of `SpanRecord`. */
  send(batch: string): void;
  /** Sends what is waiting, and gives up after `withinMs`. Does not reject. */
  close(withinMs: number): Promise<void>;
}

/** The span of a trace for one request, or for a step of it. */
export interface RequestSpan {
  child(name: string): RequestSpan;
  setAttribute(name: string, value: string | number | boolean): void;
  end(): void;
}

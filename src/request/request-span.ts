/** The part of a trace that is about one request, or a step of it. */
export interface RequestSpan {
  child(name: string): RequestSpan;
  setAttribute(name: string, value: string | number | boolean): void;
  end(): void;
}

import { AsyncLocalStorage } from "node:async_hooks";

/** The part of a trace that is about one request, or a step of it. */
export interface Span {
  child(name: string, kind?: SpanKind): Span;
  setAttribute(name: string, value: string | number | boolean): void;
  /** Something happened at this moment. */
  addEvent(name: string): void;
  /** The step failed. Its text must have no secrets. */
  fail(message: string): void;
  /** What other servers are told, as headers (W3C Trace Context). */
  headers(): Readonly<Record<string, string>>;
  end(): void;
}

/** `client`: a call to another server. */
export type SpanKind = "internal" | "client" | "server";

/**
 * What the work at hand is part of: by the flow of asynchronous calls, so that storage and remote calls, which know nothing of
 * requests, can tell. Following it costs some percent of everything on Node.js 20: `SpanScope` does so only while a request
 * is traced.
 */
const current = new AsyncLocalStorage<Span>();

/** Undefined where nothing is traced. */
export function currentSpan(): Span | undefined {
  return current.getStore();
}

/** Does `work` as a step of the span, which is the current one meanwhile. */
export function within<R>(span: Span, work: () => R): R {
  return current.run(span, work);
}

/** Does `work` as a step of the current span, and ends the step when it is done. Where nothing is traced, just does it. */
export function traced<R>(name: string, work: () => R, kind?: SpanKind): R {
  const outer = current.getStore();
  return outer === undefined ? work() : runStep(outer.child(name, kind), work);
}

function runStep<R>(span: Span, work: () => R): R {
  try {
    const result = current.run(span, work);
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    result.then(
      () => span.end(),
      (error: unknown) => endFailed(span, error),
    );
    return result;
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}

function endFailed(span: Span, error: unknown): void {
  span.fail(error instanceof Error ? error.message : String(error));
  span.end();
}

/** Counts the traced requests under way, and stops following asynchronous calls when there is none. */
export class SpanScope {
  #open = 0;

  /** Does `work` within the span. The function that is returned is to be called once, when the request is over. */
  begin(): () => void {
    this.#open++;
    return () => {
      this.#open--;
      if (this.#open === 0) current.disable();
    };
  }
}

import { AsyncLocalStorage } from "node:async_hooks";

/** One request, or one step of it, in a trace. */
export interface Span {
  /** `startedAtMs`: by `performance.now`; default now. */
  child(name: string, kind?: SpanKind, startedAtMs?: number): Span;
  /** Adds to the existing ones. The span may keep and change the object. */
  setAttributes(attributes: SpanAttributes): void;
  /** Records an event at this moment. */
  addEvent(name: string): void;
  /** Marks the step as failed. `message` must not hold secrets. */
  fail(message: string): void;
  /** Headers that continue the trace in another server (W3C Trace Context). */
  headers(): Readonly<Record<string, string>>;
  end(): void;
}

export type SpanAttributes = Record<string, string | number | boolean>;

/** `client`: a call to another server. */
export type SpanKind = "internal" | "client" | "server";

/**
 * The current span. It follows asynchronous calls, so that the store and remote calls find it without being passed the request. On
 * Node.js 20 this slows all asynchronous code by a third. A traced request therefore makes its span current only for work that may reach
 * the store or another server, and `SpanScope` disables the tracking while no request is traced.
 */
const current = new AsyncLocalStorage<Span>();

/** Undefined when nothing is traced. */
export function currentSpan(): Span | undefined {
  return current.getStore();
}

/** Runs `work` with `span` as the current span. */
export function within<R>(span: Span, work: () => R): R {
  return current.run(span, work);
}

/** Runs `work` in a child of the current span, which ends with it. Without a current span, only runs `work`. */
export function traced<R>(name: string, work: () => R, kind?: SpanKind): R {
  const outer = current.getStore();
  return outer === undefined ? work() : runStep(outer.child(name, kind), work);
}

/** Runs `work` in a child of `outer`, which ends with it and does not become the current span. */
export function tracedBelow<R>(outer: Span | undefined, name: string, work: () => R): R {
  return outer === undefined ? work() : endWith(outer.child(name), work);
}

function runStep<R>(span: Span, work: () => R): R {
  return endWith(span, () => current.run(span, work));
}

function endWith<R>(span: Span, work: () => R): R {
  try {
    const result = work();
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

/** Counts the traced requests in progress, and disables the tracking of asynchronous calls when there are none. */
export class SpanScope {
  #open = 0;

  /** Counts a traced request. Call the returned function once, when the request ends. */
  begin(): () => void {
    this.#open++;
    return () => {
      this.#open--;
      if (this.#open === 0) current.disable();
    };
  }
}

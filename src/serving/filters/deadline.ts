import { badRequest, type StatusError, timedOut } from "../../apimachinery/errors/status.js";
import { readDuration } from "../../apimachinery/values/duration.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { timerMs } from "../../time/clock.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handled, Handler } from "./filter.js";
import { type Timed, TimeoutQueue, timed } from "./timeout-queue.js";

export interface DeadlineObserver {
  readonly expired: (context: RequestContext) => void;
  /** How the request ended after its 504, or `pending` when it still runs five minutes later. */
  readonly endedLate: (how: "ok" | "error" | "pending") => void;
}

const pendingMs = 5 * 60_000;

/**
 * Ends requests that are not long-running after `--request-timeout`, or sooner when the client sends `timeout=`; zero and negative
 * values are ignored. Rejects with 400 for a malformed timeout, and with 504 when time is up, after calling `observer.expired`. An answer that
 * the client has not taken after `requestTimeoutMs` is cut.
 */
export function deadline(requestTimeoutMs: number, observer?: DeadlineObserver): Filter {
  const parts: DeadlineParts = {
    requestTimeoutMs,
    queue: new TimeoutQueue(requestTimeoutMs),
    pending: new TimeoutQueue(pendingMs),
    observer,
  };
  return (context, next) => {
    if (context.longRunning) return next(context);
    const askedMs = clientTimeoutMs(context.query);
    if (askedMs instanceof Error) return Promise.reject(askedMs);
    return new RequestDeadline(parts, context).limit(next, askedMs);
  };
}

interface DeadlineParts {
  readonly requestTimeoutMs: number;
  readonly queue: TimeoutQueue;
  readonly pending: TimeoutQueue;
  readonly observer: DeadlineObserver | undefined;
}

/**
 * Limits the time of a request, then the time its client takes to read the answer. One object instead of closures, because every request
 * creates one.
 */
class RequestDeadline implements Timed {
  dueAt = 0;
  previous: Timed | undefined;
  next: Timed | undefined;
  readonly #parts: DeadlineParts;
  readonly #context: RequestContext;
  #isAnswered = false;
  /** Set if the client asked for less time. */
  #timer: NodeJS.Timeout | undefined;
  #reject: ((reason: StatusError) => void) | undefined;
  #reason: StatusError | undefined;
  #controller: AbortController | undefined;
  /** Set once time is up. */
  #pending: Timed | undefined;

  constructor(parts: DeadlineParts, context: RequestContext) {
    this.#parts = parts;
    this.#context = context;
  }

  /** Created on first use, before or after time is up. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  limit(next: Handler, askedMs: number | undefined): Handled {
    const { queue, requestTimeoutMs } = this.#parts;
    this.#context.signalSource = this;
    const done = next(this.#context);
    if (done === undefined) {
      this.#limitReading();
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (askedMs === undefined || askedMs >= requestTimeoutMs) queue.add(this);
      else this.#timer = setTimeout(() => this.expire(), timerMs(askedMs));
      done.then(
        () => {
          this.#answered("ok");
          resolve();
        },
        (error: unknown) => {
          this.#answered("error");
          reject(error);
        },
      );
    });
  }

  expire(): void {
    if (this.#isAnswered) {
      this.#context.exchange.abort();
      return;
    }
    const { observer, pending } = this.#parts;
    observer?.expired(this.#context);
    this.#pending = timed(() => {
      this.#pending = undefined;
      observer?.endedLate("pending");
    });
    pending.add(this.#pending);
    this.#reason = timedOut("request did not complete within the allotted timeout");
    this.#controller?.abort(this.#reason);
    this.#reject?.(this.#reason);
  }

  #answered(how: "ok" | "error"): void {
    const { queue, pending, observer } = this.#parts;
    if (this.#pending !== undefined) {
      pending.remove(this.#pending);
      this.#pending = undefined;
      observer?.endedLate(how);
    }
    clearTimeout(this.#timer);
    queue.remove(this);
    this.#limitReading();
  }

  /** The client gets the same time again to read the answer. */
  #limitReading(): void {
    const { queue } = this.#parts;
    this.#isAnswered = true;
    queue.add(this);
    this.#context.exchange.onFinished(() => queue.remove(this));
  }
}

function clientTimeoutMs(query: QueryParameters): number | undefined | StatusError {
  const text = query.get("timeout");
  if (text === null || text === "") return undefined;
  const read = readDuration(text);
  if ("problem" in read) {
    return badRequest(`invalid timeout specified in the request URL - time: ${read.problem}`);
  }
  return read.nanos <= 0n ? undefined : Number(read.nanos) / 1e6;
}

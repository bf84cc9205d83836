import { badRequest, type StatusError, timedOut } from "../../apimachinery/errors/status.js";
import { parseDuration } from "../../apimachinery/values/duration.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";
import { TimeoutQueue } from "./timeout-queue.js";

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
  const pending = new TimeoutQueue(pendingMs);
  const queue = new TimeoutQueue(requestTimeoutMs);
  return (context, next) => {
    if (context.longRunning) return next(context);
    const askedMs = clientTimeoutMs(context.query);
    if (askedMs instanceof Error) return Promise.reject(askedMs);
    const expiry = new Expiry();
    context.signalSource = () => expiry.signal;
    return new Promise((resolve, reject) => {
      let endedLate: ((how: "ok" | "error" | "pending") => void) | undefined;
      const expire = (): void => {
        observer?.expired(context);
        const cancelPending = pending.add(() => endedLate?.("pending"));
        endedLate = (how) => {
          cancelPending();
          endedLate = undefined;
          observer?.endedLate(how);
        };
        reject(expiry.expire());
      };
      const cancel =
        askedMs === undefined || askedMs >= requestTimeoutMs
          ? queue.add(expire)
          : startTimer(askedMs, expire);
      // The client gets the same time again to read the answer.
      const answered = (): void => {
        cancel();
        context.exchange.onFinished(queue.add(() => context.exchange.abort()));
      };
      next(context).then(
        () => {
          endedLate?.("ok");
          answered();
          resolve();
        },
        (error: unknown) => {
          endedLate?.("error");
          answered();
          reject(error);
        },
      );
    });
  };
}

/** A signal created on first use, before or after time is up. */
class Expiry {
  #reason: StatusError | undefined;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  expire(): StatusError {
    this.#reason = timedOut("request did not complete within the allotted timeout");
    this.#controller?.abort(this.#reason);
    return this.#reason;
  }
}

function startTimer(delayMs: number, expire: () => void): () => void {
  const timer = setTimeout(expire, delayMs);
  return () => clearTimeout(timer);
}

function clientTimeoutMs(query: QueryParameters): number | undefined | StatusError {
  const text = query.get("timeout");
  if (text === null || text === "") return undefined;
  const nanos = parseDuration(text);
  if (nanos === undefined) {
    return badRequest(
      `invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(text)}`,
    );
  }
  return nanos <= 0n ? undefined : Number(nanos) / 1e6;
}

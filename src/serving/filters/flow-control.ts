import type { FlowControl } from "../../access/flowcontrol/flow-control.js";
import type { LoadShedder } from "../../access/flowcontrol/load-shedder.js";
import { type RequestKind, requestKind } from "../../access/flowcontrol/request-kind.js";
import { NoSeatError, type Seat } from "../../access/flowcontrol/seat.js";
import type { WatchTracker } from "../../access/flowcontrol/watch-tracker.js";
import { estimateWork, type LoadFacts, oneSeat } from "../../access/flowcontrol/work-estimate.js";
import { tooManyRequests } from "../../apimachinery/errors/status.js";
import { userOf } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handler } from "./filter.js";

export interface FlowControlParts {
  readonly control: FlowControl;
  readonly watches: WatchTracker;
  readonly facts: Omit<LoadFacts, "watcherCount">;
  /** Names of the headers with the UIDs of the objects that classified a request. */
  readonly headers: { readonly flowSchema: string; readonly priorityLevel: string };
  /** `watch` is called for every request that is not exempt. */
  readonly shedder: Pick<LoadShedder, "watch">;
  /** Called when a request begins to wait for a seat; the returned function when it stops waiting. */
  readonly queued: (kind: RequestKind) => () => void;
  readonly refused: (context: RequestContext, kind: RequestKind) => void;
}

/**
 * Runs requests by priority and fairness. A watch holds its seat until it is initialized; proxied connections such as exec hold none.
 * Refuses with 429.
 */
export function flowControl({
  control,
  watches,
  facts,
  headers,
  shedder,
  queued,
  refused,
}: FlowControlParts): Filter {
  const known: LoadFacts = { ...facts, watcherCount: (info) => watches.count(info) };
  const refuse = (context: RequestContext, error: unknown): Promise<never> => {
    if (!(error instanceof NoSeatError)) return Promise.reject(error);
    refused(context, requestKind(context.info.verb));
    return Promise.reject(tooManyRequests("Too many requests, please try again later.", 1));
  };
  return (context, next) => {
    const { info, exchange } = context;
    const isWatch = info.verb === "watch" && info.isResourceRequest;
    if (context.longRunning && !isWatch) return next(context);
    const user = userOf(context);
    const classification = control.classify(user, info);
    context.classified = classification;
    exchange.addResponseHeader(headers.flowSchema, classification.schema.uid);
    exchange.addResponseHeader(headers.priorityLevel, classification.level.uid);
    if (classification.level.queues !== undefined) shedder.watch();
    const run = (seat: Seat): Promise<void> =>
      isWatch ? runWatch(context, next, seat, watches) : runAndRelease(context, next, seat);
    try {
      const isExempt = classification.level.queues === undefined;
      const { listSeatsMax } = classification.level;
      const work = isExempt ? oneSeat : estimateWork(info, context.query, known, listSeatsMax);
      const entered = control.enter(classification, user, info, work, context);
      if (!(entered instanceof Promise)) return run(entered);
      const waited = queued(requestKind(info.verb));
      return entered.then(
        (seat) => {
          waited();
          return run(seat);
        },
        (error: unknown) => {
          waited();
          return refuse(context, error);
        },
      );
    } catch (error) {
      return refuse(context, error);
    }
  };
}

function runAndRelease(context: RequestContext, next: Handler, seat: Seat): Promise<void> {
  const done = next(context);
  const release = (): void => seat.release();
  // Unlike `finally`, this keeps the request from waiting for two more promises.
  done.then(release, release);
  return done;
}

function runWatch(context: RequestContext, next: Handler, seat: Seat, watches: WatchTracker): Promise<void> {
  context.onAnswerEnded(watches.add(context.info));
  const release = (): void => seat.release();
  context.onWatchInitialized(release);
  context.onAnswerEnded(release);
  return next(context);
}

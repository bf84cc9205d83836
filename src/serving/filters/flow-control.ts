import type { FlowControl } from "../../access/flowcontrol/flow-control.js";
import type { LoadShedder } from "../../access/flowcontrol/load-shedder.js";
import { type RequestKind, requestKind } from "../../access/flowcontrol/request-kind.js";
import { NoSeatError, type Seat } from "../../access/flowcontrol/seat.js";
import type { WatchTracker } from "../../access/flowcontrol/watch-tracker.js";
import { estimateWork, type LoadFacts, oneSeat } from "../../access/flowcontrol/work-estimate.js";
import { tooManyRequests } from "../../apimachinery/errors/status.js";
import { userOf } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import { type Filter, type Handled, type Handler, whenHandled } from "./filter.js";

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
  const run = (context: RequestContext, next: Handler, seat: Seat): Handled =>
    isWatch(context)
      ? runWatch(context, next, seat, watches)
      : whenHandled(next(context), () => seat.release());
  return (context, next) => {
    const { info, exchange } = context;
    if (context.longRunning && !isWatch(context)) return next(context);
    const user = userOf(context);
    const classification = control.classify(user, info);
    context.classified = classification;
    exchange.addResponseHeader(headers.flowSchema, classification.schema.uid);
    exchange.addResponseHeader(headers.priorityLevel, classification.level.uid);
    if (classification.level.queues !== undefined) shedder.watch();
    try {
      const isExempt = classification.level.queues === undefined;
      const { listSeatsMax } = classification.level;
      const work = isExempt ? oneSeat : estimateWork(info, context.query, known, listSeatsMax);
      const entered = control.enter(classification, user, info, work, context);
      if (!(entered instanceof Promise)) return run(context, next, entered);
      const waited = queued(requestKind(info.verb));
      return entered.then(
        (seat) => {
          waited();
          return run(context, next, seat);
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

function isWatch({ info }: RequestContext): boolean {
  return info.verb === "watch" && info.isResourceRequest;
}

function runWatch(context: RequestContext, next: Handler, seat: Seat, watches: WatchTracker): Handled {
  context.onAnswerEnded(watches.add(context.info));
  const release = (): void => seat.release();
  context.onWatchInitialized(release);
  context.onAnswerEnded(release);
  return next(context);
}

import {
  internal,
  requestTooLarge,
  type StatusError,
  serviceUnavailable,
  timedOut,
} from "../../apimachinery/errors/status.js";
import type { LaneEnd } from "./lane.js";

/** Why a lane ended. */
export type EndReason =
  | { readonly kind: "time"; readonly limitMs: number }
  | { readonly kind: "memory" }
  | { readonly kind: "failure"; readonly error: Error }
  /** It never became ready. */
  | { readonly kind: "start"; readonly error: Error };

export function reasonOf(end: LaneEnd, wasReady: boolean): EndReason {
  if (end.kind === "outOfMemory") {
    return wasReady
      ? { kind: "memory" }
      : { kind: "start", error: new Error("it needs more memory than --lane-memory-mb allows") };
  }
  return { kind: wasReady ? "failure" : "start", error: end.error };
}

/** The reason, for the log. */
export function describeEnd(reason: EndReason): string {
  switch (reason.kind) {
    case "time":
      return `a lane was ended that computed for more than ${reason.limitMs / 1000} s (--lane-time-limit)`;
    case "memory":
      return "a lane was ended that took more memory than --lane-memory-mb allows";
    case "failure":
      return "a lane has failed";
    case "start":
      return "a lane could not be started";
  }
}

/** The answer to a request that was in the lane. `mayBeDone`: it may have written. `isCause`: it was alone in the lane. */
export function errorOfEnd(
  reason: EndReason,
  { mayBeDone, isCause }: { readonly mayBeDone: boolean; readonly isCause: boolean },
): StatusError {
  const addition = mayBeDone ? "; whether it was stored is not known" : "";
  if (!isCause) return internal(`the thread of the request was ended because of another one${addition}`);
  switch (reason.kind) {
    case "memory":
      return requestTooLarge(`the request takes more memory than --lane-memory-mb allows${addition}`);
    case "time":
      return timedOut(
        `the request computes for more than ${reason.limitMs / 1000} s, the limit of --lane-time-limit${addition}`,
      );
    case "failure":
      return internal(`the thread that worked on the request has failed; see the server's log${addition}`);
    case "start":
      return serviceUnavailable("the server cannot start a thread for large requests; see its log");
  }
}

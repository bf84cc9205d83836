import type { Container, ContainerState } from "../../apis/gen/core-v1.js";
import { timeMs, timeText } from "../machinery/times.js";

export interface Termination {
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** The state of one run of a container. Times are milliseconds of the cluster's clock. */
export type RunState =
  | { readonly kind: "created" }
  | { readonly kind: "pulling"; readonly until: number }
  | {
      readonly kind: "unpulled";
      /** Why the image cannot be pulled. */
      readonly error: string;
      readonly isBackingOff: boolean;
      readonly until: number;
      readonly tries: number;
    }
  | { readonly kind: "running"; readonly startedAt: number }
  | {
      readonly kind: "backingOff";
      readonly pauseMs: number;
      readonly until: number;
      readonly last: Termination;
    }
  | { readonly kind: "ended"; readonly last: Termination };

/** The state as a status shows it. `waitingReason`: why a container waits that has not been started yet. */
export function printState(
  state: RunState,
  { name, image = "" }: Container,
  { waitingReason, podUid }: { readonly waitingReason: string; readonly podUid: string },
): ContainerState {
  switch (state.kind) {
    case "created":
    case "pulling":
      return { waiting: { reason: waitingReason } };
    case "unpulled":
      return state.isBackingOff
        ? { waiting: { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}"` } }
        : { waiting: { reason: "ErrImagePull", message: state.error } };
    case "running":
      return { running: { startedAt: timeText(state.startedAt) } };
    case "backingOff": {
      const message = `back-off ${state.pauseMs / 1000}s restarting failed container=${name}`;
      return { waiting: { reason: "CrashLoopBackOff", message } };
    }
    case "ended":
      return { terminated: printTermination(state.last, podUid, name) };
  }
}

export function printTermination(
  { exitCode, reason, startedAt, finishedAt }: Termination,
  podUid: string,
  name: string,
) {
  return {
    exitCode,
    reason,
    startedAt: timeText(startedAt),
    finishedAt: timeText(finishedAt),
    containerID: `simulated://${podUid}-${name}`,
  };
}

/** The state after the server was restarted, from a status. A container that waits to start again does so at once. */
export function resumedState(
  state: ContainerState,
  last: Termination | undefined,
  pauseMs: number,
): RunState {
  const ended = terminationOf(state);
  if (state.running !== undefined) {
    return { kind: "running", startedAt: timeMs(state.running.startedAt) ?? 0 };
  }
  if (ended !== undefined) return { kind: "ended", last: ended };
  return state.waiting?.reason === "CrashLoopBackOff" && last !== undefined
    ? { kind: "backingOff", pauseMs, until: 0, last }
    : { kind: "created" };
}

/** The reverse of `printTermination`; undefined if the container has not ended. */
export function terminationOf({ terminated }: ContainerState): Termination | undefined {
  if (terminated === undefined) return undefined;
  return {
    exitCode: terminated.exitCode,
    reason: terminated.reason ?? "",
    startedAt: timeMs(terminated.startedAt) ?? 0,
    finishedAt: timeMs(terminated.finishedAt) ?? 0,
  };
}

import type { ContainerStatus } from "../../apis/gen/core-v1.js";

/** The parameters of a request for a container's log, as a node agent gets them. */
export interface LogQuery {
  readonly tailLines: number;
  readonly limitBytes: number;
  /** Lines before this time, in milliseconds, are left out. */
  readonly since: number;
  readonly hasTimestamps: boolean;
  readonly isOfErrors: boolean;
}

/** `now`: the time of the cluster, in milliseconds. */
export function logQueryOf(parameters: URLSearchParams, now: number): LogQuery {
  const number = (name: string): number => Number(parameters.get(name) ?? Number.POSITIVE_INFINITY);
  const sinceTime = Date.parse(parameters.get("sinceTime") ?? "");
  return {
    tailLines: number("tailLines"),
    limitBytes: number("limitBytes"),
    since: Number.isNaN(sinceTime) ? now - number("sinceSeconds") * 1000 : sinceTime,
    hasTimestamps: parameters.get("timestamps") === "true",
    isOfErrors: parameters.get("stream") === "Stderr",
  };
}

/** Start time of the run whose log is shown: `2006-01-02T15:04:05Z`. */
export function beginOfRun(status: ContainerStatus | undefined, isPrevious: boolean): string {
  const last = status?.lastState.terminated?.startedAt;
  const { running, terminated } = status?.state ?? {};
  return (isPrevious ? last : (running?.startedAt ?? terminated?.startedAt ?? last)) ?? "";
}

/** The requested part of the log. A container writes all its lines when it starts, and none to stderr. */
export function askedLog(lines: readonly string[], begin: string, query: LogQuery): Buffer {
  if (query.isOfErrors || Date.parse(begin) < query.since) return Buffer.alloc(0);
  const stamp = query.hasTimestamps ? `${begin.replace("Z", ".000000000Z")} ` : "";
  const shown = lines.slice(Math.max(0, lines.length - query.tailLines));
  return Buffer.from(shown.map((line) => `${stamp}${line}\n`).join("")).subarray(0, query.limitBytes);
}

import type { LogValues } from "../telemetry/logger.js";
import type { ControllerContext } from "./controller.js";
import { type Work, WorkQueue } from "./work-queue.js";

export interface ControllerQueueOptions<K> {
  /** The label in the metrics. */
  readonly name: string;
  readonly work: Work<K>;
  readonly workers: number;
  /** The file that logs failures: `controllers/namespace-controller`. */
  readonly file: string;
  /** The log message of a failure, after which the work is retried. */
  readonly failure: string;
  /** How the log names a key. Default: not at all. */
  readonly about?: (key: K) => LogValues;
}

/** The work queue of a controller: observed, on the cluster's clock, and with failures in the log. */
export function controllerQueue<K>(
  { observeQueue, clock, log }: Pick<ControllerContext, "observeQueue" | "clock" | "log">,
  { name, work, workers, file, failure, about }: ControllerQueueOptions<K>,
): WorkQueue<K> {
  return new WorkQueue({
    observer: observeQueue?.(name),
    clock,
    work,
    workers,
    onFailure: (key, error) =>
      log.verbose({ level: 2, file }, failure, { ...about?.(key), reason: String(error) }),
  });
}

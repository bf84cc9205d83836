import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Metrics } from "../../telemetry/metrics.js";

const lengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];
const watchBounds = [0, 1, 10, 100, 1000, 10_000];
const waitBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const seatBoundsByNumber = [1, 2, 4, 10];
const seatBoundsBySize = [1, 2, 4, 8, 16, 32, 64, 100];

/** Metrics of requests in flow control, by the names of kube-apiserver 1.23; those of later versions where the level has them. */
export function requestFamilies(metrics: Metrics, level: ApiLevel) {
  const labels = ["priority_level", "flow_schema"];
  const name = (end: string): string => `apiserver_flowcontrol_${end}`;
  return {
    dispatched: metrics.counter({
      name: name("dispatched_requests_total"),
      help: "Requests that were given a seat.",
      labels,
    }),
    rejected: metrics.counter({
      name: name("rejected_requests_total"),
      help: "Requests that were given none, by reason.",
      labels: [...labels, "reason"],
    }),
    waits: metrics.histogram({
      name: name("request_wait_duration_seconds"),
      help: "Time that requests spent in a queue.",
      labels: [...labels, "execute"],
      bounds: waitBounds,
    }),
    executions: metrics.histogram({
      name: name("request_execution_seconds"),
      help: "Time that requests held a seat.",
      labels: isAtLeast(level, "1.24") ? [...labels, "type"] : labels,
      bounds: waitBounds,
    }),
    executing: metrics.gauge({
      name: name("current_executing_requests"),
      help: "Requests that hold a seat.",
      labels,
    }),
    limits: metrics.gauge({
      name: name("request_concurrency_limit"),
      help: "Seats of a priority level.",
      labels: ["priority_level"],
    }),
    latestStarts: metrics.gauge({
      name: name("latest_s"),
      help: "The virtual time, in seconds of one seat, at which the request began that was dispatched last.",
      labels: ["priority_level"],
    }),
    inUse: metrics.gauge({
      name: name("request_concurrency_in_use"),
      help: "Seats that requests hold.",
      labels,
    }),
    inQueue: metrics.gauge({
      name: name("current_inqueue_requests"),
      help: "Requests that wait for a seat.",
      labels,
    }),
    queueLengths: metrics.histogram({
      name: name("request_queue_length_after_enqueue"),
      help: "Requests in a queue when one has joined it.",
      labels,
      bounds: lengthBounds,
    }),
    watchCounts: metrics.histogram({
      name: name("watch_count_samples"),
      help: "Watches that a write has to be told to.",
      labels,
      bounds: watchBounds,
    }),
    noRoom: metrics.counter({
      name: name("request_dispatch_no_accommodation_total"),
      help: "Times that the next request had to wait for seats.",
      labels,
    }),
    estimates: isAtLeast(level, "1.24")
      ? metrics.histogram({
          name: name("work_estimated_seats"),
          help: "Seats that requests were estimated to take.",
          labels,
          bounds: isAtLeast(level, "1.34") ? seatBoundsBySize : seatBoundsByNumber,
        })
      : undefined,
    seatsInQueue: isAtLeast(level, "1.28")
      ? metrics.gauge({
          name: name("current_inqueue_seats"),
          help: "Seats that requests wait for.",
          labels,
        })
      : undefined,
  };
}

import type { ObservedQueue, QueueObserver } from "../../controllers/work-queue.js";
import type { Metrics } from "../../telemetry/metrics.js";

/** Seconds: 10 ns to 10 s, each ten times the previous one. Rounded as in Kubernetes, because queries refer to bounds as text. */
const bounds: number[] = [];
for (let bound = 1e-8; bounds.length < 10; bound *= 10) bounds.push(bound);

/** The metrics of work queues. Source: component-base `metrics/prometheus/workqueue`, version 1.23. */
export class WorkQueueMetrics {
  readonly #adds;
  readonly #waits;
  readonly #durations;
  readonly #retries;
  readonly #queues = new Map<string, ObservedQueue[]>();

  constructor(metrics: Metrics) {
    const labels = ["name"];
    const name = (end: string): string => `workqueue_${end}`;
    this.#adds = metrics.counter({ name: name("adds_total"), help: "Keys added to a work queue.", labels });
    this.#retries = metrics.counter({
      name: name("retries_total"),
      help: "Keys that will be worked on again after a failure.",
      labels,
    });
    this.#waits = metrics.histogram({
      name: name("queue_duration_seconds"),
      help: "Time in seconds that keys waited in a work queue.",
      labels,
      bounds,
    });
    this.#durations = metrics.histogram({
      name: name("work_duration_seconds"),
      help: "Time in seconds that work on a key took.",
      labels,
      bounds,
    });
    const depth = metrics.gauge({ name: name("depth"), help: "Keys that wait in a work queue.", labels });
    const unfinished = metrics.gauge({
      name: name("unfinished_work_seconds"),
      help: "Sum of the times in seconds since work in progress began.",
      labels,
    });
    const longest = metrics.gauge({
      name: name("longest_running_processor_seconds"),
      help: "Time in seconds since the oldest work in progress began.",
      labels,
    });
    metrics.onRead(() => {
      const now = performance.now();
      for (const [queue, observed] of this.#queues) {
        const seconds = observed.flatMap(({ startTimes }) => [...startTimes].map((at) => (now - at) / 1000));
        depth.with(queue).value = observed.reduce((sum, each) => sum + each.depth, 0);
        unfinished.with(queue).value = seconds.reduce((sum, each) => sum + each, 0);
        longest.with(queue).value = Math.max(0, ...seconds);
      }
    });
  }

  of(name: string): QueueObserver {
    const adds = this.#adds.with(name);
    const retries = this.#retries.with(name);
    const waits = this.#waits.with(name);
    const durations = this.#durations.with(name);
    return {
      observe: (queue) => {
        this.#queues.set(name, [...(this.#queues.get(name) ?? []), queue]);
      },
      added() {
        adds.value++;
      },
      retried() {
        retries.value++;
      },
      started: (waitedMs) => waits.observe(waitedMs / 1000),
      finished: (tookMs) => durations.observe(tookMs / 1000),
    };
  }
}

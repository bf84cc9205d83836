import { expect, test } from "vitest";
import { WorkQueue } from "../../controllers/work-queue.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { WorkQueueMetrics } from "./work-queue-metrics.js";

test("a work queue is counted by its name", async () => {
  const metrics = new Metrics();
  let attempts = 0;
  let release = (): void => undefined;
  const queue = new WorkQueue<string>({
    observer: new WorkQueueMetrics(metrics).of("namespace"),
    workers: 1,
    onFailure() {},
    async work(key) {
      attempts++;
      if (key === "fails" && attempts === 1) throw new Error("once");
      if (key === "waits") {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
    },
  });
  queue.add("fails");
  await expect.poll(() => attempts).toBe(2);
  queue.add("waits");
  queue.add("behind");
  queue.add("behind");
  const shown = async (name: string): Promise<string> =>
    (await printMetrics(metrics.read())).split("\n").find((line) => line.startsWith(`workqueue_${name}{`)) ??
    "";
  expect(await shown("adds_total")).toBe('workqueue_adds_total{name="namespace"} 4');
  expect(await shown("retries_total")).toBe('workqueue_retries_total{name="namespace"} 1');
  expect(await shown("depth")).toBe('workqueue_depth{name="namespace"} 1');
  expect(Number((await shown("unfinished_work_seconds")).split(" ")[1])).toBeGreaterThan(0);
  release();
  await queue.close();
  expect(await shown("work_duration_seconds_count")).toBe(
    'workqueue_work_duration_seconds_count{name="namespace"} 3',
  );
});

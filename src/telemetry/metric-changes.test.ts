import { expect, test } from "vitest";
import { addChanges, MetricChanges } from "./metric-changes.js";
import { Metrics, type MetricsOptions } from "./metrics.js";

function metricsOf(options: MetricsOptions = {}) {
  const metrics = new Metrics({ now: () => 0, ...options });
  const counter = metrics.counter({ name: "count", help: "", labels: ["kind"] });
  const gauge = metrics.gauge({ name: "gauge", help: "", labels: [] });
  const histogram = metrics.histogram({ name: "seconds", help: "", labels: ["verb"], bounds: [1, 2] });
  metrics.alias("other_seconds", { type: "histogram", family: histogram });
  const summary = metrics.summary({ name: "sizes", help: "", labels: [], quantiles: [0.5], maxAgeMs: 1000 });
  return { metrics, counter, gauge, histogram, summary };
}

test("what a thread counts is added once to what another has counted", () => {
  const lane = metricsOf();
  const server = metricsOf();
  const changes = new MetricChanges(lane.metrics);
  server.counter.with("a").value = 10;
  server.histogram.with("get").observe(1.5);
  const pass = () => addChanges(server.metrics, structuredClone(changes.take()));

  lane.counter.with("a").value += 2;
  lane.counter.with("b").value += 1;
  lane.gauge.with().value = 7;
  lane.histogram.with("get").observe(0.5);
  lane.histogram.with("get").observe(5);
  lane.summary.with().observe(4);
  pass();
  pass();
  lane.counter.with("a").value += 1;
  lane.histogram.with("get").observe(2);
  lane.summary.with().observe(4);
  pass();

  expect(server.counter.with("a").value).toBe(13);
  expect(server.counter.with("b").value).toBe(1);
  expect(server.gauge.with().value).toBe(0);
  expect(server.histogram.with("get").counts).toEqual([1, 2, 1]);
  expect(server.histogram.with("get").sum).toBe(9);
  const summary = server.summary.with();
  expect([summary.sum, summary.count]).toEqual([8, 2]);
  expect(summary.values()[0]).toBeCloseTo(4, 1);
});

test("nothing is told of what did not change, and nothing added that is not known", () => {
  const lane = metricsOf();
  const changes = new MetricChanges(lane.metrics);
  expect(changes.take()).toEqual([]);
  lane.counter.with("a").value += 1;
  lane.histogram.with("get").observe(1);
  const taken = changes.take();
  expect(taken.map(({ name }) => name)).toEqual(["count", "seconds"]);
  expect(changes.take()).toEqual([]);
  const server = metricsOf({ disabled: new Set(["count"]) });
  addChanges(server.metrics, [...taken, { name: "unknown", values: [], sum: 1, counts: [] }]);
  expect(server.histogram.with("get").counts).toEqual([1, 0, 0]);
});

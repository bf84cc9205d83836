import { expect, test } from "vitest";
import { MetricChildren } from "./metric-children.js";
import { Metrics } from "./metrics.js";

function shown(family: { children(): Iterable<{ readonly values: readonly string[] }> }): string[] {
  return [...family.children()].map(({ values }) => values.join(" "));
}

test("children that belong together go together, and others stay", () => {
  const metrics = new Metrics();
  const first = metrics.counter({ name: "first_total", help: "First.", labels: ["resource"] });
  const second = metrics.gauge({ name: "second", help: "Second.", labels: ["resource", "verb"] });
  const pods = new MetricChildren();
  const maps = new MetricChildren();
  pods.of(first, "pods").value++;
  pods.of(first, "pods").value++;
  pods.of(second, "pods", "get").value++;
  maps.of(first, "maps").value++;
  expect(first.with("pods").value).toBe(2);
  pods.drop();
  expect(shown(first)).toEqual(["maps"]);
  expect(shown(second)).toEqual([]);
  pods.of(first, "pods").value++;
  expect(shown(first)).toEqual(["maps"]);
});

test("a child that counts for values that are not allowed stays, because others count there too", () => {
  const metrics = new Metrics({ allowedValues: new Map([["first_total,resource", new Set(["pods"])]]) });
  const first = metrics.counter({ name: "first_total", help: "First.", labels: ["resource"] });
  const maps = new MetricChildren();
  maps.of(first, "maps").value++;
  maps.drop();
  expect(shown(first)).toEqual(["unexpected"]);
});

test("the child of everything beyond a metric's limit stays too", () => {
  const metrics = new Metrics();
  const counter = metrics.counter({ name: "counted_total", help: "Counted.", labels: ["resource"] });
  for (let i = 0; i < 40_000; i++) counter.with(`resource ${i}`);
  const maps = new MetricChildren();
  maps.of(counter, "maps").value++;
  maps.drop();
  expect(counter.with("unexpected").value).toBe(1);
});

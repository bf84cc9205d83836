import { expect, test } from "vitest";
import { parseMetrics, Reading } from "../../api/metrics.ts";
import { quantileOf, rates, ratesBy } from "./series.ts";

const reading = (seconds: number, text: string) => new Reading(seconds * 1000, parseMetrics(text));

test("samples have their labels, also those with quotes and new lines", () => {
  const all = parseMetrics('# HELP a b\na{x="1",y="q\\"\\n\\\\"} 2\nb 3.5e-3\nc{le="+Inf"} 4\n');
  expect([...(all.get("a")?.[0]?.labels ?? [])]).toEqual([
    ["x", "1"],
    ["y", 'q"\n\\'],
  ]);
  expect(all.get("b")?.[0]?.value).toBe(0.0035);
});

test("a rate is what a counter grew by in a second, and unknown when it was begun anew", () => {
  const all = [reading(0, "a 1"), reading(2, "a 5"), reading(4, "a 2")];
  expect(rates(all, { a: (each) => each.sum("a") }).lines).toEqual([{ name: "a", values: [null, 2, null] }]);
});

test("of many values those are shown that grew most", () => {
  const text = (x: number, y: number, z: number) => `r{v="x"} ${x}\nr{v="y"} ${y}\nr{v=""} ${z}`;
  const { lines } = ratesBy([reading(0, text(100, 0, 0)), reading(1, text(100, 4, 2))], "r", "v", 2);
  expect(lines).toEqual([
    { name: "other paths", values: [null, 2] },
    { name: "y", values: [null, 4] },
  ]);
});

test("a quantile lies between the bounds of its bucket", () => {
  const before = new Map([
    [1, 10],
    [2, 10],
    [Number.POSITIVE_INFINITY, 10],
  ]);
  const now = new Map([
    [1, 10],
    [2, 20],
    [Number.POSITIVE_INFINITY, 20],
  ]);
  expect(quantileOf(before, now, 0.5)).toBe(1.5);
  expect(quantileOf(now, now, 0.5)).toBeNull();
  expect(
    quantileOf(
      new Map(),
      new Map([
        [1, 0],
        [Number.POSITIVE_INFINITY, 5],
      ]),
      0.5,
    ),
  ).toBe(1);
});

test("objects are counted by the names of every level", () => {
  const former = reading(
    0,
    'apiserver_storage_objects{resource="deployments.apps"} 2\napiserver_storage_objects{resource="pods"} 1',
  );
  const later = reading(
    0,
    'apiserver_resource_objects{group="apps",resource="deployments"} 2\napiserver_resource_objects{group="",resource="pods"} 1',
  );
  expect([...former.objects()]).toEqual([
    ["deployments.apps", 2],
    ["pods", 1],
  ]);
  expect([...later.objects()]).toEqual([...former.objects()]);
});

import { expect, test } from "vitest";
import { Distribution } from "./distribution.js";
import { Metrics } from "./metrics.js";
import { metricsPieces, printMetrics } from "./metrics-text.js";

test("bounds are printed as Prometheus' queries spell them", async () => {
  const metrics = new Metrics();
  const bounds = [0, 1e-8, 0.00001, 0.0001, 0.5, 604800, 1e6, 2592000, 1e9];
  metrics.histogram({ name: "h", help: "H.", labels: [], bounds }).with().observe(1);
  const text = await printMetrics(metrics.read());
  expect([...text.matchAll(/le="(.*?)"/g)].map(([, le]) => le)).toEqual([
    "0",
    "1e-08",
    "1e-05",
    "0.0001",
    "0.5",
    "604800",
    "1e+06",
    "2.592e+06",
    "1e+09",
    "+Inf",
  ]);
});

test("counters, gauges and histograms are printed in Prometheus' text format", async () => {
  const metrics = new Metrics();
  const requests = metrics.counter({
    name: "requests_total",
    help: 'Back\\slash\n"q"',
    labels: ["verb", "code"],
  });
  const running = metrics.gauge({ name: "running", help: "Now.", labels: [] });
  metrics.counter({ name: "unused_total", help: "Never.", labels: ["a"] });
  const sizes = metrics.histogram({ name: "sizes", help: "Bytes.", labels: ["verb"], bounds: [1, 2.5] });
  requests.with("GET", "200").value += 2;
  requests.with("GET", "200").value += 1;
  requests.with('a"\\\n', "0").value += 1;
  metrics.onRead(() => {
    running.with().value = 7;
  });
  for (const size of [0.5, 1, 2, 100]) sizes.with("GET").observe(size);
  expect(await printMetrics(metrics.read())).toBe(`# HELP requests_total Back\\\\slash\\n"q"
# TYPE requests_total counter
requests_total{verb="GET",code="200"} 3
requests_total{verb="a\\"\\\\\\n",code="0"} 1

# HELP running Now.
# TYPE running gauge
running 7

# HELP sizes Bytes.
# TYPE sizes histogram
sizes_bucket{verb="GET",le="1"} 2
sizes_bucket{verb="GET",le="2.5"} 3
sizes_bucket{verb="GET",le="+Inf"} 4
sizes_sum{verb="GET"} 103.5
sizes_count{verb="GET"} 4
`);
});

test("summaries are printed with their quantiles", async () => {
  const metrics = new Metrics({ now: () => 0 });
  const durations = metrics.summary({
    name: "durations",
    help: "Seconds.",
    labels: ["type"],
    quantiles: [0.5, 0.99],
    maxAgeMs: 60_000,
  });
  for (const seconds of [0, 0, 0, 4]) durations.with("a").observe(seconds);
  expect(await printMetrics(metrics.read())).toMatch(
    /^# HELP durations Seconds\.\n# TYPE durations summary\ndurations\{type="a",quantile="0\.5"\} 0\ndurations\{type="a",quantile="0\.99"\} (3\.9|4\.0)\d+\ndurations_sum\{type="a"\} 4\ndurations_count\{type="a"\} 4\n$/,
  );
});

test("many series come in pieces, which are one text", async () => {
  const metrics = new Metrics();
  const histogram = metrics.histogram({ name: "sizes", help: "Bytes.", labels: ["who"], bounds: [1, 2] });
  for (let i = 0; i < 1000; i++) histogram.with(`client ${i}`).observe(1);
  metrics.gauge({ name: "running", help: "Now.", labels: [] }).with().value = 7;
  const pieces = await Promise.all(metricsPieces(metrics.read()));
  const lines = pieces.map((piece) => piece.split("\n").length);
  expect(pieces.length).toBeGreaterThan(4);
  expect(Math.max(...lines)).toBeLessThan(1100);
  const text = pieces.join("");
  expect(text.match(/^#.*$/gm)).toEqual([
    "# HELP sizes Bytes.",
    "# TYPE sizes histogram",
    "# HELP running Now.",
    "# TYPE running gauge",
  ]);
  expect(text.match(/^sizes_count\{.*$/gm)).toHaveLength(1000);
  expect(text).toContain('\nsizes_count{who="client 999"} 1\n\n# HELP running Now.\n');
  expect(text).not.toContain("\n\nsizes");
});

test("a distribution counts in every bucket, whichever is used first", () => {
  const sizes = new Distribution([1, 2, 4]);
  expect(sizes.counts).toEqual([0, 0, 0, 0]);
  sizes.observe(2);
  sizes.observe(9, 3);
  sizes.observe(1);
  const sum = new Distribution([1, 2, 4]);
  sum.add(sizes);
  sum.observe(3);
  expect(sizes.counts).toEqual([1, 1, 0, 3]);
  expect(sum.counts).toEqual([1, 1, 1, 3]);
  expect(sum.sum).toBe(33);
});

test("values that do not fit the labels are a bug", () => {
  const family = new Metrics().counter({ name: "a", help: "", labels: ["one"] });
  expect(() => family.with("x", "y")).toThrow("a has other labels");
});

test("a metric has a bounded number of lines: sets of values beyond it share one, until others go", () => {
  const metrics = new Metrics();
  const counter = metrics.counter({ name: "counted_total", help: "Counted.", labels: ["who", "what"] });
  const histogram = metrics.histogram({ name: "sizes", help: "Bytes.", labels: ["who"], bounds: [1, 2] });
  for (let i = 0; i < 100_000; i++) {
    counter.with(`client ${i}`, "a").value++;
    histogram.with(`client ${i}`).observe(1);
  }
  expect([...counter.children()]).toHaveLength(40_001);
  expect([...histogram.children()]).toHaveLength(8001);
  expect(counter.with("client 5", "a").value).toBe(1);
  expect(counter.with("unexpected", "unexpected").value).toBe(60_000);
  expect(counter.with("another", "b")).toBe(counter.with("unexpected", "unexpected"));
  counter.remove("client 1", "a");
  counter.remove("client 2", "a");
  counter.with("another", "b").value++;
  expect(counter.with("another", "b").value).toBe(1);
});

test("a disabled metric is not shown, and values that are not allowed are counted together", async () => {
  const metrics = new Metrics({
    disabled: new Set(["hidden"]),
    allowedValues: new Map([["shown,verb", new Set(["GET", "PUT"])]]),
  });
  metrics.gauge({ name: "hidden", help: "Not shown.", labels: [] }).with().value = 1;
  const shown = metrics.counter({ name: "shown", help: "Shown.", labels: ["verb", "code"] });
  for (const verb of ["GET", "POST", "DELETE"]) shown.with(verb, "200").value++;
  expect((await printMetrics(metrics.read())).split("\n").slice(2, -1)).toEqual([
    'shown{verb="GET",code="200"} 1',
    'shown{verb="unexpected",code="200"} 2',
  ]);
});

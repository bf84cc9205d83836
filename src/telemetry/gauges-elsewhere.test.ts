import { expect, test } from "vitest";
import { GaugesElsewhere, gaugeValues } from "./gauges-elsewhere.js";
import { Metrics } from "./metrics.js";
import { printMetrics } from "./metrics-text.js";

function metricsOfThread(open: number) {
  const metrics = new Metrics();
  const gauge = metrics.gauge({ name: "open", help: "Open.", labels: ["kind"] });
  gauge.with("watch").value = open;
  metrics.gauge({ name: "own", help: "Own.", labels: [] }).with().value = open;
  return { metrics, gauge };
}

async function shown(metrics: Metrics): Promise<string> {
  const text = await printMetrics(metrics.read());
  return text.split("\n").find((line) => line.startsWith("open{")) ?? "";
}

test("a gauge shows the sum over all threads, as last reported", async () => {
  const main = metricsOfThread(2);
  const elsewhere = new GaugesElsewhere(main.metrics);
  const names = new Set(["open"]);
  elsewhere.show([3, 4].flatMap((open) => gaugeValues(metricsOfThread(open).metrics, names)));
  expect(await shown(main.metrics)).toBe('open{kind="watch"} 9');
  elsewhere.show(gaugeValues(metricsOfThread(1).metrics, names));
  main.gauge.with("watch").value = 5;
  expect(await shown(main.metrics)).toBe('open{kind="watch"} 6');
  elsewhere.show([]);
  expect(await shown(main.metrics)).toBe('open{kind="watch"} 5');
});

test("a flag is 1 when any thread has it set", async () => {
  const { metrics, gauge } = metricsOfThread(0);
  const elsewhere = new GaugesElsewhere(metrics, new Set(["open"]));
  const told = [{ name: "open", values: ["watch"], value: 1 }];
  elsewhere.show([...told, ...told]);
  expect(await shown(metrics)).toBe('open{kind="watch"} 1');
  gauge.with("watch").value = 1;
  elsewhere.show(told);
  expect(await shown(metrics)).toBe('open{kind="watch"} 1');
});

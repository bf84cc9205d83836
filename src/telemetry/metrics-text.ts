import type { Distribution, Metric, MetricFamily } from "./metrics.js";

/** Metrics in Prometheus' text format, version 0.0.4. Those without a value are left out. */
export function printMetrics(metrics: Iterable<Metric>): string {
  const lines: string[] = [];
  for (const { type, family } of metrics) {
    const samples = type === "histogram" ? [...histogramLines(family)] : [...figureLines(family)];
    if (samples.length === 0) continue;
    lines.push(
      `# HELP ${family.name} ${escapeHelp(family.help)}`,
      `# TYPE ${family.name} ${type}`,
      ...samples,
    );
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function* figureLines(family: MetricFamily<{ readonly value: number }>): Generator<string> {
  for (const { values, child } of family.children()) {
    yield `${family.name}${printLabels(printedLabels(family.labels, values))} ${child.value}`;
  }
}

function* histogramLines(family: MetricFamily<Distribution>): Generator<string> {
  for (const { values, child } of family.children()) {
    const labels = printedLabels(family.labels, values);
    let count = 0;
    for (const [range, inRange] of child.counts.entries()) {
      count += inRange;
      const bound = child.bounds[range];
      const le = `le="${bound === undefined ? "+Inf" : bound}"`;
      yield `${family.name}_bucket${printLabels([...labels, le])} ${count}`;
    }
    yield `${family.name}_sum${printLabels(labels)} ${child.sum}`;
    yield `${family.name}_count${printLabels(labels)} ${count}`;
  }
}

function printedLabels(names: readonly string[], values: readonly string[]): string[] {
  return names.map((name, index) => `${name}="${escapeLabel(values[index] ?? "")}"`);
}

function printLabels(labels: readonly string[]): string {
  return labels.length === 0 ? "" : `{${labels.join(",")}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

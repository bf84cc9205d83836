import { signal } from "@preact/signals";
import { getText, messageOf } from "./request.ts";

export interface Sample {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Names of metrics at later API levels. */
const laterNames: ReadonlyMap<string, string> = new Map([
  ["apiserver_storage_objects", "apiserver_resource_objects"],
  ["apiserver_flowcontrol_request_concurrency_limit", "apiserver_flowcontrol_nominal_limit_seats"],
  ["apiserver_request_duration_seconds_bucket", "apiserver_request_sli_duration_seconds_bucket"],
]);

/** One reading of the server's metrics. */
export class Reading {
  readonly atMs: number;
  readonly #families: ReadonlyMap<string, readonly Sample[]>;

  constructor(atMs: number, families: ReadonlyMap<string, readonly Sample[]>) {
    this.atMs = atMs;
    this.#families = families;
  }

  samples(name: string): readonly Sample[] {
    return this.#families.get(name) ?? this.#families.get(laterNames.get(name) ?? "") ?? [];
  }

  /** The sum of all samples that `matches` accepts. */
  sum(name: string, matches: (labels: ReadonlyMap<string, string>) => boolean = () => true): number {
    let sum = 0;
    for (const { labels, value } of this.samples(name)) if (matches(labels)) sum += value;
    return sum;
  }

  /** How many objects there are of each resource, by `plural.group`. */
  objects(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { labels, value } of this.samples("apiserver_storage_objects")) {
      const group = labels.get("group") ?? "";
      const plural = labels.get("resource") ?? "";
      counts.set(group === "" ? plural : `${plural}.${group}`, value);
    }
    return counts;
  }

  /** The sums for each value of a label. */
  valuesBy(name: string, label: string): ReadonlyMap<string, number> {
    const values = new Map<string, number>();
    for (const { labels, value } of this.samples(name)) {
      const key = labels.get(label) ?? "";
      values.set(key, (values.get(key) ?? 0) + value);
    }
    return values;
  }
}

/** The readings while a page showed them, up to ten minutes of them, the newest last. */
export const readings = signal<readonly Reading[]>([]);
export const latest = signal<Reading | undefined>(undefined);
export const metricsProblem = signal("");

const periodMs = 2000;
/** Ten minutes. */
const readingsMax = 300;
let followers = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let isReading = false;

/** Reads the metrics every two seconds until the returned function is called. */
export function followMetrics(): () => void {
  followers++;
  if (followers === 1) readIn(Math.max(0, (latest.value?.atMs ?? 0) + periodMs - Date.now()));
  return () => {
    followers--;
    if (followers === 0) clearTimeout(timer);
  };
}

function readIn(waitMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void read(), waitMs);
}

async function read(): Promise<void> {
  if (isReading) return;
  isReading = true;
  try {
    if (!document.hidden || latest.value === undefined) {
      const text = await getText("/metrics", { accept: "text/plain" });
      const reading = new Reading(Date.now(), parseMetrics(text));
      latest.value = reading;
      readings.value = [...readings.value, reading].slice(-readingsMax);
      metricsProblem.value = "";
    }
  } catch (error) {
    metricsProblem.value = messageOf(error);
  }
  isReading = false;
  if (followers > 0) readIn(periodMs);
}

/** Metric families that the page does not use, which make up most of the text. */
const skipped = /^(apiserver_flowcontrol_\w+_(samples|watermarks)_|workqueue_\w+_bucket|nodejs_heap_space)/;

/** The samples of Prometheus' text format by name. */
export function parseMetrics(text: string): ReadonlyMap<string, readonly Sample[]> {
  const families = new Map<string, Sample[]>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#") || skipped.test(line)) continue;
    const [, name = "", labels = "", value = ""] = /^([\w:]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === "") continue;
    let samples = families.get(name);
    if (samples === undefined) {
      samples = [];
      families.set(name, samples);
    }
    samples.push({
      labels: parseLabels(labels),
      value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
    });
  }
  return families;
}

const none: ReadonlyMap<string, string> = new Map();

function parseLabels(text: string): ReadonlyMap<string, string> {
  if (text === "") return none;
  const labels = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
    labels.set(
      name,
      value.replace(/\\(n|.)/g, (_, each: string) => (each === "n" ? "\n" : each)),
    );
  return labels;
}

import { parseDuration } from "../../apimachinery/values/duration.js";
import { Quantity } from "../../apimachinery/values/quantity.js";

/** What is simulated, unless objects say otherwise. */
export interface SimulationSettings {
  /** Nodes that are created at the start. Others can be created like any object. */
  readonly nodes: number;
  /** Capacity of each node, as quantities. */
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  /** The number of zones over which the nodes are spread. */
  readonly zones: number;
  /** How long pulling an image takes. */
  readonly pullMs: number;
  /** How long a container of a pod that ends by itself (a job's) runs, and how long a container takes to stop. */
  readonly runMs: number;
  readonly stopMs: number;
  /** The class whose volumes are simulated; it is created at the start as the default class. */
  readonly storageClass: string;
}

export const defaultSettings: SimulationSettings = {
  nodes: 1,
  cpu: "8",
  memory: "32Gi",
  pods: 110,
  zones: 1,
  pullMs: 0,
  runMs: 1000,
  stopMs: 0,
  storageClass: "standard",
};

const nodesMax = 5000;
const podsMax = 100_000;

type Reader = (text: string) => Partial<SimulationSettings> | string;

const readers: Readonly<Record<string, Reader>> = {
  nodes: (text) => count(text, 0, nodesMax, (nodes) => ({ nodes })),
  cpu: (text) => quantity(text, (cpu) => ({ cpu })),
  memory: (text) => quantity(text, (memory) => ({ memory })),
  pods: (text) => count(text, 0, podsMax, (pods) => ({ pods })),
  zones: (text) => count(text, 1, nodesMax, (zones) => ({ zones })),
  pull: (text) => time(text, (pullMs) => ({ pullMs })),
  run: (text) => time(text, (runMs) => ({ runMs })),
  stop: (text) => time(text, (stopMs) => ({ stopMs })),
  "storage-class": (text) =>
    /^[a-z0-9]([-a-z0-9.]{0,250}[a-z0-9])?$/.test(text) ? { storageClass: text } : "expected a name",
};

const settingNames = Object.keys(readers);

/** Parses `nodes=3,cpu=8`; `true` and an empty text mean the defaults. Undefined for `false`. */
export function parseSimulation(
  text: string,
): { readonly value: SimulationSettings | undefined } | { readonly problem: string } {
  if (text === "" || text === "true") return { value: defaultSettings };
  if (text === "false") return { value: undefined };
  let value = defaultSettings;
  for (const item of text.split(",")) {
    const [name = "", ...rest] = item.split("=");
    const read = readers[name];
    if (read === undefined || rest.length !== 1) {
      return {
        problem: `invalid value ${JSON.stringify(item)}, expected NAME=VALUE with a name of ${settingNames.join(", ")}`,
      };
    }
    const setting = read(rest[0] ?? "");
    if (typeof setting === "string") return { problem: `invalid value ${JSON.stringify(item)}, ${setting}` };
    value = { ...value, ...setting };
  }
  return { value };
}

/** The reverse of `parseSimulation`. */
export function formatSimulation(settings: SimulationSettings | undefined): string {
  if (settings === undefined) return "";
  const { nodes, cpu, memory, pods, zones, pullMs, runMs, stopMs, storageClass } = settings;
  return [
    `nodes=${nodes},cpu=${cpu},memory=${memory},pods=${pods},zones=${zones}`,
    `pull=${pullMs}ms,run=${runMs}ms,stop=${stopMs}ms,storage-class=${storageClass}`,
  ].join(",");
}

function count(
  text: string,
  min: number,
  max: number,
  setting: (value: number) => Partial<SimulationSettings>,
): Partial<SimulationSettings> | string {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  return value >= min && value <= max ? setting(value) : `expected a number from ${min} to ${max}`;
}

function quantity(
  text: string,
  setting: (text: string) => Partial<SimulationSettings>,
): Partial<SimulationSettings> | string {
  try {
    return Quantity.parse(text).sign() > 0 ? setting(text) : "expected more than zero";
  } catch {
    return "expected a quantity such as 8, 500m or 32Gi";
  }
}

function time(
  text: string,
  setting: (ms: number) => Partial<SimulationSettings>,
): Partial<SimulationSettings> | string {
  const ms = durationMs(text);
  return ms === undefined ? "expected a duration such as 500ms or 2s" : setting(ms);
}

/** Milliseconds of `1.5s`, `200ms`, `1h`; undefined for anything else, and for negative ones. */
export function durationMs(text: string): number | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined || nanos < 0n ? undefined : Number(nanos / 1_000_000n);
}

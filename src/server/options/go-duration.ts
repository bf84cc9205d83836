import { readDuration } from "../../apimachinery/values/duration.js";
import type { ParseResult } from "./option.js";

/** Reads `1h0m0s`, `500ms`, `1.5h`, `-2m`, `0` to milliseconds. Source: Go `time.ParseDuration`. */
export function parseGoDuration(text: string): ParseResult<number> {
  const read = readDuration(text);
  if ("nanos" in read) return { value: Number(read.nanos) / 1e6 };
  const { problem } = read;
  return { problem: problem.startsWith("missing unit") ? `${problem} (such as 30s, 5m0s, 1h0m0s)` : problem };
}

/** Writes milliseconds as `1h0m0s`, `1.5s`, `500ms`, `0s`. Source: Go `time.Duration.String`. */
export function formatGoDuration(ms: number): string {
  if (ms < 0) return `-${formatGoDuration(-ms)}`;
  const ns = Math.round(ms * 1e6);
  if (ns === 0) return "0s";
  if (ns < 1e3) return `${ns}ns`;
  if (ns < 1e6) return `${decimal(ns, 1e3)}µs`;
  if (ns < 1e9) return `${decimal(ns, 1e6)}ms`;
  const minutes = Math.floor(ns / 60e9);
  const seconds = `${decimal(ns - minutes * 60e9, 1e9)}s`;
  if (minutes === 0) return seconds;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${seconds}` : `${hours}h${minutes % 60}m${seconds}`;
}

/** `ns / unit` without trailing zeros, and without the rounding of a division in binary. */
function decimal(ns: number, unit: number): string {
  const digits = String(unit).length - 1;
  const fraction = String(ns % unit)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  const integer = String(Math.floor(ns / unit));
  return fraction === "" ? integer : `${integer}.${fraction}`;
}

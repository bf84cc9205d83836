import type { ParseResult } from "./option.js";

const msOfUnit: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["μs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Go keeps a duration in 63 bits of nanoseconds, about 292 years. */
const durationMsMax = 2 ** 63 / 1e6;

/** Reads `1h0m0s`, `500ms`, `1.5h`, `-2m`, `0` to milliseconds. Source: Go `time.ParseDuration`. */
export function parseGoDuration(text: string): ParseResult<number> {
  const invalid = { problem: `invalid duration ${JSON.stringify(text)}` };
  const sign = text.startsWith("-") ? -1 : 1;
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === "0") return { value: 0 };
  if (body === "") return invalid;
  const part = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
  let ms = 0;
  while (part.lastIndex < body.length) {
    const [whole, integer = "", fraction = "", unit = ""] = part.exec(body) ?? [];
    if (!whole || integer + fraction === "") return invalid;
    if (unit === "") {
      return { problem: `missing unit in duration ${JSON.stringify(text)} (such as 30s, 5m0s, 1h0m0s)` };
    }
    const unitMs = msOfUnit.get(unit);
    if (unitMs === undefined) {
      return { problem: `unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}` };
    }
    ms += Number(`${integer || "0"}.${fraction || "0"}`) * unitMs;
  }
  if (ms > durationMsMax) return invalid;
  return { value: ms === 0 ? 0 : sign * ms };
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

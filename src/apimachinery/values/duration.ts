import { int64Max } from "./scaled-integers.js";

/** Durations as the API writes them (`1h2m3.5s`), in nanoseconds as a bigint, because a number cannot hold 64 bits. */

const unitNanos: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** Longer texts take long to convert, and only leading zeros could make them valid. */
const charactersMax = 1000;

export type ReadDuration = { readonly nanos: bigint } | { readonly problem: string };

/** `problem` is what Go's `time.ParseDuration` says, without its prefix `time: `. */
export function readDuration(text: string): ReadDuration {
  const invalid = { problem: `invalid duration ${JSON.stringify(text)}` };
  const sign = text.startsWith("-") ? -1n : 1n;
  const body = text.replace(/^[+-]/, "");
  if (body === "0") return { nanos: 0n };
  if (body === "" || body.length > charactersMax) return invalid;
  let nanos = 0n;
  const part = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
  while (part.lastIndex < body.length) {
    const [, whole = "", fraction = "", unit = ""] = part.exec(body) ?? [];
    if (whole === "" && fraction === "") return invalid;
    if (unit === "") return { problem: `missing unit in duration ${JSON.stringify(text)}` };
    const scale = unitNanos.get(unit);
    if (scale === undefined) {
      return { problem: `unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}` };
    }
    nanos += BigInt(whole === "" ? "0" : whole) * scale;
    if (fraction !== "") nanos += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  return nanos > int64Max ? invalid : { nanos: sign * nanos };
}

/** Undefined when the text is not a duration or does not fit 64 bits. */
export function parseDuration(text: string): bigint | undefined {
  const read = readDuration(text);
  return "nanos" in read ? read.nanos : undefined;
}

/** `1h2m3.5s`; below a second the unit is ms, µs or ns; zero is `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return "0s";
  const sign = nanos < 0n ? "-" : "";
  const length = nanos < 0n ? -nanos : nanos;
  if (length < 1_000n) return `${sign}${length}ns`;
  if (length < 1_000_000n) return `${sign}${decimal(length, 1_000n)}µs`;
  if (length < 1_000_000_000n) return `${sign}${decimal(length, 1_000_000n)}ms`;
  const minutes = length / 60_000_000_000n;
  const seconds = `${decimal(length % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = String(value % unit).padStart(String(unit).length - 1, "0");
  const digits = fraction.replace(/0+$/, "");
  return digits === "" ? `${value / unit}` : `${value / unit}.${digits}`;
}

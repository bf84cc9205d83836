import { CelRuntimeError } from "./cel-error.js";
import type { CelTimestamp } from "./cel-times.js";
import type { CelValue } from "./cel-value.js";

interface TimeFunction {
  readonly signature: string;
  // The compiler has checked the types of the signature.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly run: (args: any[]) => CelValue;
  readonly steps: number;
}

const perSecond = 1_000_000_000n;
/** Looking up a time zone takes tens of microseconds. */
const zoneSteps = 10_000;

/** The parts of a time, in UTC or in a zone; months, days of the week and days of the year count from 0. */
const parts: readonly (readonly [name: string, read: (date: Date) => number])[] = [
  ["getFullYear", (date) => date.getUTCFullYear()],
  ["getMonth", (date) => date.getUTCMonth()],
  ["getDate", (date) => date.getUTCDate()],
  ["getDayOfMonth", (date) => date.getUTCDate() - 1],
  ["getDayOfWeek", (date) => date.getUTCDay()],
  ["getDayOfYear", dayOfYear],
  ["getHours", (date) => date.getUTCHours()],
  ["getMinutes", (date) => date.getUTCMinutes()],
  ["getSeconds", (date) => date.getUTCSeconds()],
  ["getMilliseconds", (date) => date.getUTCMilliseconds()],
];

/** Source: cel-spec, "Standard Definitions", functions of timestamps and durations. */
export const timeFunctions: readonly TimeFunction[] = [
  ...parts.flatMap(([name, read]): TimeFunction[] => [
    {
      signature: `timestamp.${name}(): int`,
      run: ([time]) => BigInt(read(dateOf(time))),
      steps: 0,
    },
    {
      signature: `timestamp.${name}(string): int`,
      run: ([time, zone]) => BigInt(read(dateIn(time, zone))),
      steps: zoneSteps,
    },
  ]),
  durationPart("getHours", 3600n * perSecond),
  durationPart("getMinutes", 60n * perSecond),
  durationPart("getSeconds", perSecond),
  durationPart("getMilliseconds", 1_000_000n),
];

function durationPart(name: string, unit: bigint): TimeFunction {
  return { signature: `duration.${name}(): int`, run: ([{ nanos }]) => nanos / unit, steps: 0 };
}

function dateOf({ nanos }: CelTimestamp): Date {
  return new Date(Number(nanos / 1_000_000n));
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
}

/** A date whose UTC fields show the local time of the zone: `Europe/Berlin`, `+02:00`. */
function dateIn(time: CelTimestamp, zone: string): Date {
  const date = dateOf(time);
  const offset = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(date.getTime() + (offset[1] === "-" ? -minutes : minutes) * 60_000);
  }
  let text: string;
  try {
    text = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone === "" ? "UTC" : zone,
      dateStyle: "short",
      timeStyle: "medium",
    }).format(date);
  } catch {
    throw new CelRuntimeError(`unknown time zone ${zone.slice(0, 64)}`);
  }
  return new Date(Date.parse(`${text.replace(" ", "T")}Z`) + date.getUTCMilliseconds());
}

import { parseDuration } from "../values/duration.js";
import { type Instant, parseTime } from "../values/time.js";
import { CelRuntimeError } from "./cel-error.js";

export class CelTimestamp {
  /** Since the Unix epoch. */
  readonly nanos: bigint;
  /** Of the zone in which it is printed, to the east of UTC. Times with other offsets are equal. */
  readonly offsetMinutes: number;
  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
}

/** The first and the last second of a year with four digits. */
const [secondsMin, secondsMax] = [-62_135_596_800n, 253_402_300_799n];
const perSecond = 1_000_000_000n;

/** Throws `CelRuntimeError` for a time that RFC 3339 cannot print. */
export function timestampAt(nanos: bigint, offsetMinutes?: number): CelTimestamp {
  if (nanos < secondsMin * perSecond || nanos >= (secondsMax + 1n) * perSecond) {
    throw new CelRuntimeError("timestamp overflow");
  }
  return new CelTimestamp(nanos, offsetMinutes);
}

export function timestampOfSeconds(seconds: bigint): CelTimestamp {
  return timestampAt(seconds * perSecond);
}

export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** RFC 3339, or a date without a time. */
export function timestampOf(text: string): CelTimestamp {
  let instant: Instant;
  try {
    instant = parseTime(datePattern.test(text) ? `${text}T00:00:00Z` : text);
  } catch {
    throw new CelRuntimeError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  }
  return new CelTimestamp(
    BigInt(instant.seconds) * 1_000_000_000n + BigInt(instant.nanos),
    offsetMinutesOf(text),
  );
}

function offsetMinutesOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === "-" ? -size : size;
}

export function durationOf(text: string): CelDuration {
  const nanos = parseDuration(text);
  if (nanos === undefined) {
    throw new CelRuntimeError("type conversion error from 'string' to 'google.protobuf.Duration'");
  }
  return new CelDuration(nanos);
}

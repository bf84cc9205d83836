import { parseDuration } from "../values/duration.js";
import { type Instant, parseTime } from "../values/time.js";
import { CelRuntimeError } from "./cel-error.js";

export class CelTimestamp {
  /** Since the Unix epoch. */
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
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
  return new CelTimestamp(BigInt(instant.seconds) * 1_000_000_000n + BigInt(instant.nanos));
}

export function durationOf(text: string): CelDuration {
  const nanos = parseDuration(text);
  if (nanos === undefined) {
    throw new CelRuntimeError("type conversion error from 'string' to 'google.protobuf.Duration'");
  }
  return new CelDuration(nanos);
}

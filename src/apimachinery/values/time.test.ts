import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.js";
import {
  canonicalMicroTimeSeconds,
  canonicalTimeSeconds,
  formatMicroTime,
  formatTime,
  type Instant,
  parseMicroTime,
  parseTime,
  TimeParseError,
  zeroTimeSeconds,
} from "./time.js";

interface ReadByOriginal {
  readonly input: string;
  /** Null: the zero time. */
  readonly time?: string | null;
  readonly timeError?: string;
  readonly micro?: string | null;
  readonly microError?: string;
  readonly duration: string | null;
}

const texts: readonly ReadByOriginal[] = JSON.parse(
  readFileSync(new URL("./testing/fixtures/times.json", import.meta.url), "utf8"),
);

function attempt(
  read: () => Instant,
  print: (instant: Instant) => string,
): { value?: string | null; error?: string } {
  try {
    const instant = read();
    const isZero = instant.seconds === zeroTimeSeconds && instant.nanos === 0;
    return { value: isZero ? null : print(instant) };
  } catch (error) {
    if (error instanceof TimeParseError) return { error: error.message };
    throw error;
  }
}

test.each(texts)("$input is read, or refused, as Kubernetes does", (expected) => {
  const time = attempt(
    () => parseTime(expected.input),
    ({ seconds }) => formatTime(seconds),
  );
  expect(time).toEqual(
    expected.timeError === undefined ? { value: expected.time } : { error: expected.timeError },
  );
  const micro = attempt(() => parseMicroTime(expected.input), formatMicroTime);
  expect(micro).toEqual(
    expected.microError === undefined ? { value: expected.micro } : { error: expected.microError },
  );
  const nanos = parseDuration(expected.input);
  expect(nanos === undefined ? null : formatDuration(nanos)).toBe(expected.duration);
});

const seconds = fc.integer({ min: zeroTimeSeconds, max: 253_402_300_799 });

test("times of four-digit years are those of the platform's calendar", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      const text = formatTime(time);
      expect(text).toBe(`${new Date(time * 1000).toISOString().slice(0, 19)}Z`);
      expect(parseTime(text)).toEqual({ seconds: time, nanos: 0 });
      expect(canonicalTimeSeconds(text)).toBe(time);
    }),
  );
});

test("microseconds are kept", () => {
  fc.assert(
    fc.property(seconds, fc.nat(999_999), (time, micros) => {
      const text = formatMicroTime({ seconds: time, nanos: micros * 1000 + 999 });
      expect(parseMicroTime(text)).toEqual({ seconds: time, nanos: micros * 1000 });
      expect(canonicalMicroTimeSeconds(text)).toBe(time);
    }),
  );
});

test("the quick reading takes canonical times only", () => {
  const nearly = fc
    .tuple(seconds, fc.nat(19), fc.constantFrom("0", "9", "-", "T", ":", "x", ""))
    .map(([time, at, by]) => {
      const text = formatTime(time);
      return text.slice(0, at) + by + text.slice(at + 1);
    });
  fc.assert(
    fc.property(nearly, (text) => {
      const quick = canonicalTimeSeconds(text);
      if (quick !== undefined) expect(parseTime(text)).toEqual({ seconds: quick, nanos: 0 });
    }),
    { numRuns: 500 },
  );
});

test("durations print and read back", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (nanos) => {
      expect(parseDuration(formatDuration(nanos))).toBe(nanos);
    }),
  );
  expect(formatDuration(5_400_000_000_000n)).toBe("1h30m0s");
  expect(formatDuration(1_500_000n)).toBe("1.5ms");
  expect(formatDuration(-1_500n)).toBe("-1.5µs");
});

test("an error shows the start of a long text", () => {
  const long = "x".repeat(1_000_000);
  for (const text of [long, `2024-01-01T00:00:00Z${long}`, `2024-13-01T00:00:00Z${long}`]) {
    let message = "";
    try {
      parseTime(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^parsing time ".{256}…"/);
    expect(message.length).toBeLessThan(700);
  }
});

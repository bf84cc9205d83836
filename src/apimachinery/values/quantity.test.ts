import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalQuantity, Quantity } from "./quantity.js";
import { QuantityError } from "./quantity-text.js";

/** What Kubernetes' parser returned for texts, well-formed and not. */
const parsed: readonly { input: string; error?: string; output?: string; format?: string }[] = JSON.parse(
  readFileSync(new URL("./testing/fixtures/quantities.json", import.meta.url), "utf8"),
);

test("texts are read and printed as Kubernetes does", () => {
  const differing = parsed.filter(({ input, error, output, format }) => {
    try {
      const quantity = Quantity.parse(input);
      return quantity.toString() !== output || quantity.format !== format;
    } catch (caught) {
      return !(caught instanceof QuantityError) || caught.message !== error;
    }
  });
  expect(differing).toEqual([]);
  expect(parsed.length).toBeGreaterThan(400);
});

test.each([
  ["1000m", "1"],
  ["0.1", "100m"],
  ["1.5Gi", "1536Mi"],
  ["1024Mi", "1Gi"],
  ["0.5Ki", "512"],
  ["1e3", "1e3"],
  ["12000e3", "12e6"],
  ["0.0000000001", "1n"],
  ["0", "0"],
  ["-0.0", "0"],
  // Canonical according to Kubernetes.
  ["+1", "+1"],
  ["1.500", "1.500"],
])("%s is printed as %s", (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test("canonical forms are their own canonical forms", () => {
  const texts = fc
    .tuple(
      fc.integer(),
      fc.nat(99_999),
      fc.constantFrom("", "n", "u", "m", "k", "M", "E", "Ki", "Mi", "Ei", "e-5", "e7"),
    )
    .map(([whole, fraction, suffix]) => `${whole}.${fraction}${suffix}`);
  fc.assert(
    fc.property(texts, (text) => {
      const canonical = canonicalQuantity(text);
      expect(canonicalQuantity(canonical)).toBe(canonical);
      expect(Quantity.parse(canonical).compare(Quantity.parse(text))).toBe(0);
    }),
  );
});

test("amounts are compared by value, whatever their form", () => {
  const sorted = ["-1", "0", "1n", "1m", "0.5", "1", "1k", "1Ki", "1e4", "1M", "1Mi", "1E", "1Ei", "8E"];
  for (const [index, small] of sorted.entries()) {
    expect(Quantity.parse(small).compare(Quantity.parse(small))).toBe(0);
    for (const large of sorted.slice(index + 1)) {
      expect(Quantity.parse(small).compare(Quantity.parse(large)), `${small} < ${large}`).toBe(-1);
      expect(Quantity.parse(large).compare(Quantity.parse(small))).toBe(1);
    }
  }
  expect(Quantity.parse("1000m").compare(Quantity.parse("1"))).toBe(0);
});

test("sums keep the format of the first amount, or of the other when it is zero", () => {
  const sum = (a: string, b: string) => Quantity.parse(a).add(Quantity.parse(b)).toString();
  expect(sum("1Gi", "1M")).toBe("1074741824");
  expect(sum("1Gi", "1Mi")).toBe("1025Mi");
  expect(sum("0", "1Gi")).toBe("1Gi");
  expect(sum("100m", "0.9")).toBe("1");
  expect(Quantity.parse("1").sub(Quantity.parse("1500m")).toString()).toBe("-500m");
  expect(Quantity.zero.sub(Quantity.parse("1Ki")).toString()).toBe("-1Ki");
});

test("whole amounts are exact, others are rounded away from zero", () => {
  expect(Quantity.parse("9223372036854775807").asInt64()).toBe(9223372036854775807n);
  expect(Quantity.parse("10E").asInt64()).toBeUndefined();
  expect(Quantity.parse("1.5").asInt64()).toBeUndefined();
  expect(Quantity.parse("1.5").value()).toBe(2n);
  expect(Quantity.parse("-1.5").value()).toBe(-2n);
  expect(Quantity.parse("1.5").milliValue()).toBe(1500n);
  expect(Quantity.parse("1n").milliValue()).toBe(1n);
  expect(Quantity.parse("250m").asNumber()).toBe(0.25);
  expect(Quantity.fromInt(2048).inFormat("BinarySI").toString()).toBe("2Ki");
  expect(Quantity.parse("-2").sign()).toBe(-1);
});

test("a megabyte of digits is refused", () => {
  expect(() => Quantity.parse("9".repeat(1_000_000))).toThrow(QuantityError);
});

test("exponents that would take hours to compute are refused", () => {
  expect(() => Quantity.parse("1e1000000000")).toThrow(QuantityError);
  expect(() => Quantity.parse("1e1001")).toThrow(QuantityError);
  expect(canonicalQuantity("1e-9999")).toBe("1e-9");
});

test("amounts of very different size are compared without writing them out", () => {
  const huge = Quantity.parse("9e1000");
  const others = ["0", "0e-9999", "-9e1000", "1", "9e999", "8e1000", "1e-9", "1n"].map((text) =>
    Quantity.parse(text),
  );
  for (let round = 0; round < 100_000; round++) {
    for (const other of others) {
      if (huge.compare(other) !== 1 || other.compare(huge) !== -1) throw new Error(`${other}`);
    }
  }
  expect(huge.compare(Quantity.parse(`9${"0".repeat(900)}e100`))).toBe(0);
  expect(Quantity.parse("0e-9999").compare(Quantity.zero)).toBe(0);
});

test("rounding leaves what is a multiple already as it is, without writing it out", () => {
  for (const text of ["9e999", "1500m", "0.25", "2Gi", "0", `${"9".repeat(900)}e90`]) {
    const amount = Quantity.parse(text);
    expect(amount.roundedTo(-3)).toBe(amount);
  }
  expect(Quantity.parse("1n").roundedTo(-3).toString()).toBe("1m");
  expect(Quantity.parse("-1500u").roundedTo(-3).toString()).toBe("-2m");
  expect(["9e999", "1000m", "0", "2Ki"].every((text) => Quantity.parse(text).isWhole())).toBe(true);
  expect(["1m", "1.5", "-1n"].some((text) => Quantity.parse(text).isWhole())).toBe(false);
});

test("comparing is comparing what is written out", () => {
  const amount = fc.record({
    digits: fc.bigInt({ min: -1000n, max: 1000n }),
    exponent: fc.integer({ min: 0, max: 8 }),
  });
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const whole = ({ digits, exponent }: typeof a) => digits * 10n ** BigInt(exponent);
      const text = ({ digits, exponent }: typeof a) => `${digits}e${exponent}`;
      const expected = whole(a) < whole(b) ? -1 : whole(a) > whole(b) ? 1 : 0;
      expect(Quantity.parse(text(a)).compare(Quantity.parse(text(b)))).toBe(expected);
    }),
  );
});

/** An amount in billionths, rounded up, computed with numbers of all its digits. */
function writtenOut({ negative, whole, fraction, exponent }: LongAmount): bigint {
  const digits = BigInt(whole + fraction);
  const shift = exponent - fraction.length + 9;
  const unit = 10n ** BigInt(Math.abs(shift));
  const billionths = shift >= 0 ? digits * unit : (digits + unit - 1n) / unit;
  return negative ? -billionths : billionths;
}

interface LongAmount {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
}

test("long amounts are rounded, compared, added and printed as what is written out", () => {
  // Many nines carry, many zeros are cut.
  const digits = fc
    .array(fc.constantFrom("0", "00000", "9", "99999", "1", "5", "27"), { minLength: 1, maxLength: 20 })
    .map((parts) => parts.join(""));
  const amounts = fc.record({
    negative: fc.boolean(),
    whole: digits,
    fraction: digits,
    exponent: fc.integer({ min: -60, max: 60 }),
  });
  const parse = ({ negative, whole, fraction, exponent }: LongAmount): Quantity =>
    Quantity.parse(`${negative ? "-" : ""}${whole}.${fraction}e${exponent}`);
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      const [left, right] = [writtenOut(a), writtenOut(b)];
      expect(parse(a).sign()).toBe(left === 0n ? 0 : left < 0n ? -1 : 1);
      expect(parse(a).isZero()).toBe(left === 0n);
      expect(parse(a).compare(parse(b))).toBe(left < right ? -1 : left > right ? 1 : 0);
      expect(parse(a).compare(Quantity.parse(`${left}n`))).toBe(0);
      const sum = parse(a).add(parse(b));
      expect(sum.compare(Quantity.parse(`${left + right}n`))).toBe(0);
      expect(Quantity.parse(parse(a).toString()).compare(parse(a))).toBe(0);
      expect(canonicalQuantity(parse(a).toString())).toBe(parse(a).toString());
    }),
    { numRuns: 1000 },
  );
});

test("comparing does not change an amount", () => {
  const long = Quantity.parse("9".repeat(560));
  expect(long.compare(Quantity.parse(`${"9".repeat(559)}8`))).toBe(1);
  expect(long.compare(Quantity.parse(`-${"9".repeat(600)}`))).toBe(1);
  expect(long.value()).toBe(10n ** 560n - 1n);
  expect(long.toString()).toBe("9".repeat(560));
  expect(Quantity.zero.sub(long).compare(Quantity.parse("-1"))).toBe(-1);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, parsePlainJson } from "./json-parse.js";
import type { ParseJsonOptions } from "./json-parser.js";
import { printJson } from "./json-print.js";
import { JsonSyntaxError } from "./json-scanner.js";

/** Makes the parser use its own code instead of `JSON.parse`. */
const ownWay: ParseJsonOptions = { onMember: () => undefined };

function messageOf(input: string | Uint8Array, options?: ParseJsonOptions): string {
  try {
    parseJson(input, options);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("reads what JSON.parse reads, both ways", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(3), (text, indent) => {
      const expected: unknown = JSON.parse(text);
      const integersAreExact = !/\d{16}/.test(text);
      fc.pre(integersAreExact);
      const spaced = JSON.stringify(expected, null, indent);
      expect(parseJson(spaced)).toEqual(expected);
      expect(parseJson(spaced, ownWay)).toEqual(expected);
      expect(parseJson(Buffer.from(spaced))).toEqual(expected);
    }),
  );
});

test("prints back what it read, exactly", () => {
  const text =
    '{"a":9223372036854775807,"b":-9007199254740993,"c":1.5,"d":[123456789012345678901,9007199254740991]}';
  expect(printJson(parseJson(text))).toBe(text);
});

test("fractions that print as they are written go the engine's way, all others do not", () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,11})\.\d{1,9}$/);
  const plain = fc.stringMatching(/^-?(0|[1-9]\d{0,8})\.\d{0,5}[1-9]$/);
  const goesTheEnginesWay = (text: string) =>
    parsePlainJson(`{"a":${text}}`, { onNumberText: (_path, { value }) => value }) !== undefined;
  fc.assert(
    fc.property(fc.oneof(digits, plain, fc.double().map(String)), plain, (text, plainText) => {
      if (`${Number(text)}` !== text) expect(goesTheEnginesWay(text)).toBe(false);
      expect(goesTheEnginesWay(plainText)).toBe(true);
    }),
  );
});

test("integers are bigints only beyond 2^53", () => {
  expect(parseJson("9007199254740991")).toBe(9007199254740991);
  expect(parseJson("9007199254740992")).toBe(9007199254740992n);
  expect(parseJson("1000000000000000")).toBe(1e15);
  expect(parseJson("1.0000000000000001")).toBe(1);
  expect(parseJson("10000000000000000000e1")).toBe(1e20);
});

test.each<[string, ParseJsonOptions]>([
  ["the engine", {}],
  ["its own code", ownWay],
])("numbers that are written otherwise than they are printed are told, also past %s", (_way, options) => {
  const told: string[] = [];
  const text =
    '{"a":[1.0,{"b.c":-1E3}, 1.50 ],"d":"see 1.0, 2","e":[1.5,-0.5,100,1e+2],"f":9007199254740993}';
  const value = parseJson(text, {
    ...options,
    onNumberText(path, { value, text }) {
      told.push(`${path} ${text}`);
      return value;
    },
  });
  expect(told).toEqual(["a[0] 1.0", "a[1].b.c -1E3", "a[2] 1.50", "e[3] 1e+2"]);
  expect(value).toEqual(parseJson(text));
});

test("texts of numbers are told only where that stays cheap", () => {
  const told = (text: string): number => {
    let count = 0;
    parseJson(text, {
      onNumberText(path, { value }) {
        expect(path.length).toBeLessThan(5000);
        count++;
        return value;
      },
    });
    return count;
  };
  expect(told(`[${"1.0,".repeat(5000)}2]`)).toBe(1000);
  expect(told(`{"${"x".repeat(5000)}":[1.0,1.0]}`)).toBe(0);
  expect(told(`${"[".repeat(100)}1.0${"]".repeat(100)}`)).toBe(0);
});

test("long digits in a text are looked at once", () => {
  const text = `: 1.${"1".repeat(1_000_000)}x`;
  expect(parseJson(JSON.stringify([text]), { onNumberText: (_path, { value }) => value })).toEqual([text]);
});

test("a long run of digits is found wherever it stands", () => {
  for (let before = 0; before < 40; before++) {
    const text = `["${"x".repeat(before)}",1234567890123456789]`;
    expect(parseJson(text)).toEqual(["x".repeat(before), 1234567890123456789n]);
  }
});

test("escapes that stand for no character become U+FFFD", () => {
  expect(parseJson('"\\ud800"')).toBe("\ufffd");
  expect(parseJson('"a\\udc00b"')).toBe("a\ufffdb");
  expect(parseJson('"\\ud83d\\ude00"')).toBe("\u{1f600}");
});

test("a member named __proto__ is a member", () => {
  for (const options of [undefined, ownWay]) {
    const value = parseJson('{"__proto__":{"a":1}}', options);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  }
});

describe("duplicates", () => {
  test("are reported once each with their paths, and the last one wins", () => {
    const paths: string[] = [];
    const text = '{"a":1,"b":[{"c":{"x":1,"x":2,"x":3}},{"d":1,"d":1}],"a":{"e":1,"e":2}}';
    expect(parseJson(text, { onDuplicateField: (path) => paths.push(path) })).toEqual({
      a: { e: 2 },
      b: [{ c: { x: 3 } }, { d: 1 }],
    });
    expect(paths).toEqual(["b[0].c.x", "b[1].d", "a", "a.e"]);
  });

  test("are not names that appear in different objects", () => {
    const paths: string[] = [];
    parseJson('{"a":{"a":[{"a":1},{"a":2}]}}', { onDuplicateField: (path) => paths.push(path) });
    expect(paths).toEqual([]);
  });
});

describe("depth", () => {
  const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;

  test("is limited, both ways", () => {
    for (const options of [{}, ownWay]) {
      expect(() => parseJson(nested(1000), options)).not.toThrow();
      expect(messageOf(nested(1002), options)).toBe("invalid character '{' exceeded max depth");
      expect(messageOf("[".repeat(3_000_000), options)).toBe("invalid character '[' exceeded max depth");
      expect(messageOf("[[[]]]", { ...options, depthMax: 2 })).toBe(
        "invalid character '[' exceeded max depth",
      );
    }
  });

  test("what is within the limit can be printed", () => {
    expect(printJson(parseJson(nested(1000)))).toBe(nested(1000));
  });
});

test("bytes that are not UTF-8 become U+FFFD", () => {
  expect(parseJson(Buffer.from([0x22, 0x61, 0xff, 0x62, 0x22]))).toBe("a\ufffdb");
});

test.each([
  ["", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ['{"a":1', "unexpected end of JSON input"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["[1 2]", "invalid character '2' after array element"],
  ["9".repeat(400), `json: cannot unmarshal number ${"9".repeat(40)} into Go value of type float64`],
  ["1e309", "json: cannot unmarshal number 1e309 into Go value of type float64"],
  ['{"a":1e309}', "json: cannot unmarshal number 1e309 into Go value of type float64"],
  ["[-1.5E+400 ]", "json: cannot unmarshal number -1.5E+400 into Go value of type float64"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ["{} x", "invalid character 'x' after top-level value"],
  ["trux", "invalid character 'x' in literal true (expecting 'e')"],
  ["nul", "invalid character ' ' in literal null (expecting 'l')"],
  ["01", "invalid character '1' after top-level value"],
  ["-x", "invalid character 'x' in numeric literal"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ["1e+", "invalid character ' ' in exponent of numeric literal"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12x"', "invalid character 'x' in \\u hexadecimal character escape"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["é", "invalid character 'Ã' looking for beginning of value"],
])("%j is refused in Kubernetes' words", (text, message) => {
  expect(messageOf(text)).toBe(message);
});

/** How the engine parses: it turns numbers beyond the range of a double into infinity. */
function parseByEngine(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw new RangeError(text);
    return value;
  });
}

test("whatever JSON.parse refuses is refused, and numbers that are too large", () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('"', "{", "]", ",", ":", "\\", "x", "1", "\u0001", ""))
    .map(
      ([text, at, by]) =>
        text.slice(0, at % (text.length + 1)) + by + text.slice((at % (text.length + 1)) + 1),
    );
  fc.assert(
    fc.property(broken, (text) => {
      let valid = true;
      try {
        parseByEngine(text);
      } catch {
        valid = false;
      }
      if (valid) expect(() => parseJson(text, ownWay)).not.toThrow();
      else expect(messageOf(text, ownWay)).not.toBe("");
    }),
    { numRuns: 500 },
  );
});

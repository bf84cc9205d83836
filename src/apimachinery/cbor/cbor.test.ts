import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../json/json-parse.js";
import { printJson } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";
import type { BinaryPlace } from "../schema/binary-members.js";
import { CborError, parseCbor } from "./parse-cbor.js";
import { cborOfJson, printCbor } from "./print-cbor.js";

/** Written by Kubernetes' own encoder (apimachinery 0.35, `runtime/serializer/cbor/direct`). */
const encoded: readonly [json: string, hex: string][] = [
  [
    '{"kind":"A","apiVersion":"v1","é":1,"zz":[1,-1,24,255,256,65536,4294967296,-9223372036854775808,9223372036854775807],"b":{}}',
    "a54162a0427a7a890120181818ff1901001a000100001b00000001000000003b7fffffffffffffff1b7fffffffffffffff42c3a901446b696e6441414a61706956657273696f6e427631",
  ],
  [
    "[1.5,0.1,3.4028234663852886e+38,5.960464477539063e-8,65504,65504.5,1e300,-0.25,6.103515625e-05,0.00006097555160522461]",
    "8af93e00fb3fb999999999999afa7f7ffffff9000119ffe0fa477fe080fb7e37e43c8800759cf9b400f90400f903ff",
  ],
  [
    '[null,true,false,"","aaaaaaaaaaaaaaaaaaaaaaaaa"]',
    "85f6f5f440581961616161616161616161616161616161616161616161616161",
  ],
];

test.each(encoded)("%s is written as Kubernetes writes it, and read", (json, hex) => {
  expect(printCbor(parseJson(json)).toString("hex")).toBe(hex);
  expect(parseCbor(Buffer.from(hex, "hex"))).toEqual(parseJson(json));
});

test("a document says what it is", () => {
  expect(cborOfJson(Buffer.from('{"a":1}')).toString("hex")).toBe("d9d9f7a1416101");
});

/** What Kubernetes' decoder makes of them. */
test.each<[hex: string, value: JsonValue]>([
  ["d64443010203", "QwECAw=="],
  ["d7820143010203", [1, "010203"]],
  ["d54401fffefd", "Af_-_Q"],
  ["d6424142", "QUI="],
  ["d9d9f7a1416101", { a: 1 }],
  ["c074323031332d30332d32315432303a30343a30305a", "2013-03-21T20:04:00Z"],
  ["c11a514b67b0", "2013-03-21T20:04:00Z"],
  ["c1fb41d452d9ec200000", "2013-03-21T20:04:00.5Z"],
  ["bf616101ff", { a: 1 }],
  ["5f42010243030405ff", "\u0001\u0002\u0003\u0004\u0005"],
  ["9f01ff", [1]],
  ["d8184101", "\u0001"],
  ["f90400", 2 ** -14],
  ["f98001", -(2 ** -24)],
  ["fa3fc00000", 1.5],
])("%s is %j", (hex, value) => {
  expect(parseCbor(Buffer.from(hex, "hex"))).toEqual(value);
});

test.each<[hex: string, why: string]>([
  ["", "unexpected EOF"],
  ["a1", "unexpected EOF"],
  ["c2", "unexpected EOF"],
  ["9f", "unexpected EOF"],
  ["5b00ffffffffffffff", "unexpected EOF"],
  ["9bffffffffffffffff", "unexpected EOF"],
  ["9affffffff", "unexpected EOF"],
  ["bb00000000ffffffff", "unexpected EOF"],
  ["820102ff", "1 bytes of extraneous data starting at index 3"],
  ["a2416101616102", 'duplicate map key "a"'],
  ["a1016161", "the name of a member is no string"],
  ["f7", "simple value 23 is not allowed"],
  ["f8ff", "simple value 255 is not allowed"],
  ["f97e00", "NaN"],
  ["f97c00", "NaN and infinite"],
  ["fbfff0000000000000", "NaN and infinite"],
  ["1bffffffffffffffff", "cannot unmarshal 18446744073709551615 into a 64-bit integer"],
  ["3bffffffffffffffff", "cannot unmarshal -18446744073709551616 into a 64-bit integer"],
  ["c249010000000000000000", "integers of any length"],
  ["61ff", "invalid UTF-8"],
  ["7f61ffff", "invalid UTF-8"],
  ["7f4101ff", "wrong element type"],
  ["ff", 'unexpected "break" code'],
  ["1c", "invalid additional information 28"],
  ["c001", "RFC 3339"],
  ["c1f5", "no number of seconds"],
])("%s is refused: %s", (hex, why) => {
  const read = () => parseCbor(Buffer.from(hex, "hex"));
  expect(read).toThrow(CborError);
  expect(read).toThrow(why);
});

describe("hostile documents", () => {
  test.each([
    ["lists", 0x81],
    ["lists of indefinite length", 0x9f],
    ["tags", 0xc6],
    ["maps of indefinite length", 0xbf],
  ])("are not read deeper than others: %s", (_name, byte) => {
    const nested = Buffer.alloc(3_000_000, byte);
    if (byte === 0xbf) for (let at = 1; at < nested.length; at += 2) nested[at] = 0x40;
    expect(() => parseCbor(nested)).toThrow("exceeded max nested level 1000");
  });

  test("have no member that is more than a member", () => {
    const value = parseCbor(Buffer.from("a1495f5f70726f746f5f5fa1416101", "hex"));
    expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
    expect(printCbor(value).toString("hex")).toBe("a1495f5f70726f746f5f5fa1416101");
  });

  test("of random bytes are read or refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          parseCbor(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CborError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test("every JSON value comes back", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (json) => {
      // CBOR integers have no negative zero, and integers beyond 64 bits become floats.
      fc.pre(!/-0|\d{19}/.test(json));
      const value = parseJson(json);
      expect(parseCbor(printCbor(value))).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test("equal objects are equal bytes", () => {
  const [one, other] = ['{"b":1,"a":{"dd":1,"c":2}}', '{"a":{"c":2,"dd":1},"b":1}'];
  expect(printCbor(parseJson(one))).toEqual(printCbor(parseJson(other)));
  expect(printJson(parseCbor(printCbor(parseJson(one))))).toBe(other);
});

test("bytes are tagged to be base64 in JSON", () => {
  const bytes = { kind: "bytes" } as const;
  const binary = {
    kind: "object",
    members: new Map<string, BinaryPlace>([
      ["data", { kind: "each", of: bytes }],
      ["one", bytes],
    ]),
  } as const;
  const value = { data: { a: "aGk=", b: null }, one: "", text: "aGk=" };
  const printed = printCbor(value, binary);
  expect(printed.toString("hex")).toBe("a3436f6e65d6404464617461a24161d64268694162f644746578744461476b3d");
  expect(parseCbor(printed)).toEqual(value);
});

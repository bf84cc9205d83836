import fc from "fast-check";
import { expect, test } from "vitest";
import { toRevision } from "../../storage/kv.js";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.js";

const whole = { metaGroup: "meta.example", prefix: "", level: "1.24" } as const;

test("a continue token returns what was put in it", () => {
  const segment = fc.stringMatching(/^[a-z0-9][-a-z0-9.]{0,20}[a-z0-9]$/).filter((s) => !s.includes(".."));
  fc.assert(
    fc.property(fc.integer({ min: 1 }), segment, segment, (revision, namespace, name) => {
      const token = { revision: toRevision(revision), after: `${namespace}/${name}` };
      for (const prefix of ["", `${namespace}/`]) {
        const scope = { ...whole, prefix };
        expect(decodeContinueToken(encodeContinueToken(token, scope), scope)).toEqual(token);
      }
    }),
  );
});

test("a token without a revision goes on at the newest", () => {
  expect(
    decodeContinueToken(encodeContinueToken({ revision: undefined, after: "a/b" }, whole), whole).revision,
  ).toBeUndefined();
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each([
  ["no base64", "!!!", "illegal base64 data at input byte 0"],
  ["padding", "e30=", "illegal base64 data at input byte 3"],
  ["a character too many", "e30e3", "illegal base64 data at input byte 4"],
  [
    "no JSON",
    Buffer.from("nonsense").toString("base64url"),
    "invalid character 'o' in literal null (expecting 'u')",
  ],
  [
    "another version",
    encode({ v: "x", rv: 1, start: "a\0" }),
    'server does not recognize this encoded version "x"',
  ],
  ["no version", encode([]), 'server does not recognize this encoded version ""'],
  [
    "revision 0",
    encode({ v: "meta.example/v1", rv: 0, start: "a\0" }),
    "incorrect encoded start resourceVersion (version meta.example/v1)",
  ],
  [
    "no start",
    encode({ v: "meta.example/v1", rv: 1, start: "" }),
    "encoded start key empty (version meta.example/v1)",
  ],
  ["a start out of the prefix", encode({ v: "meta.example/v1", rv: 1, start: "../secrets\0" }), "../secrets"],
])("a token with %s is refused with 400", (_what, token, message) => {
  expect(() => decodeContinueToken(token, whole)).toThrow(expect.objectContaining({ code: 400 }));
  expect(() => decodeContinueToken(token, whole)).toThrow(
    `invalid continue token: continue key is not valid: ${message}`,
  );
});

test("tokens are those of Kubernetes, which are relative to the collection", () => {
  // A token of Kubernetes 1.23 for the config maps of a namespace.
  const text = Buffer.from('{"v":"meta.k8s.io/v1","rv":1234,"start":"b\\u0000"}').toString("base64url");
  const scope = { metaGroup: "meta.k8s.io", prefix: "default/", level: "1.23" } as const;
  const token = { revision: toRevision(1234), after: "default/b" };
  expect(decodeContinueToken(text, scope)).toEqual(token);
  expect(encodeContinueToken(token, scope)).toBe(text);
  // A token of Kubernetes 1.33 for the same list.
  const withSlash = encode({ v: "meta.k8s.io/v1", rv: 1234, start: "/b\0" });
  expect(decodeContinueToken(withSlash, scope)).toEqual(token);
  expect(() => decodeContinueToken(encode({ v: "meta.k8s.io/v1", rv: 1, start: "//b\0" }), scope)).toThrow(
    "//b",
  );
});

test.each([
  { v: { toString: 1 }, rv: 1, start: "a\0" },
  { v: "meta.example/v1", rv: { toString: 1 }, start: "a\0" },
  { v: "meta.example/v1", rv: 1, start: { toString: 1 } },
  { v: "meta.example/v1", rv: 1, start: [{ toString: null }] },
])("what has no text of its own is malformed: %j", (value) => {
  expect(() => decodeContinueToken(encode(value), whole)).toThrow("continue key is not valid");
});

test("the unknown version is quoted before 1.25", () => {
  const token = encode({ v: "x", rv: 1, start: "a\0" });
  const problem = "continue key is not valid: server does not recognize this encoded version";
  expect(() => decodeContinueToken(token, { ...whole, level: "1.24" })).toThrow(`${problem} "x"`);
  expect(() => decodeContinueToken(token, { ...whole, level: "1.25" })).toThrow(`${problem} x`);
});

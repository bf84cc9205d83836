import { expect, test } from "vitest";
import { toRevision } from "../../storage/kv.js";
import type { ReadVersion } from "../../storage/object-store.js";
import { encodeContinueToken } from "./continue-token.js";
import { checkListOptions, orOlder, readVersionOfGet, readVersionOfList } from "./read-version.js";

const scope = { metaGroup: "meta.example", prefix: "ns/", level: "1.23" } as const;
const token = encodeContinueToken({ revision: toRevision(7), after: "ns/a" }, scope);

function list(resourceVersion: string, match: string, limit: number, continueToken: string): string {
  try {
    const options = { resourceVersion, resourceVersionMatch: match, limit, continue: continueToken };
    checkListOptions(options, scope.metaGroup);
    const { at } = readVersionOfList(options, scope);
    return "revision" in at ? `${at.kind} ${at.revision}` : at.kind;
  } catch (error) {
    return String((error as { code?: number }).code);
  }
}

/** The table for list of Kubernetes' API Concepts, cell by cell: unset, `0`, another value. */
test.each([
  ["", 0, "", ["mostRecent", "any", "notOlderThan 5"]],
  ["", 3, "", ["mostRecent", "any", "exact 5"]],
  ["", 3, token, ["exact 7", "exact 7", "400"]],
  ["Exact", 0, "", ["422", "422", "exact 5"]],
  ["Exact", 3, "", ["422", "422", "exact 5"]],
  ["NotOlderThan", 0, "", ["422", "any", "notOlderThan 5"]],
  ["NotOlderThan", 3, "", ["422", "any", "notOlderThan 5"]],
  ["Exact", 3, token, ["422", "422", "422"]],
  ["Sometimes", 0, "", ["422", "422", "422"]],
])("list with match %j, limit %d, continue %j", (match, limit, continueToken, expected) => {
  expect(["", "0", "5"].map((rv) => list(rv, match, limit, continueToken))).toEqual(expected);
});

test.each([
  ["", { kind: "mostRecent" }],
  ["0", { kind: "any" }],
  ["12", { kind: "notOlderThan", revision: 12 }],
])("get with resourceVersion %j", (resourceVersion, expected) => {
  expect(readVersionOfGet(resourceVersion)).toEqual(expected);
});

test.each([
  ["x", "invalid syntax"],
  ["-1", "invalid syntax"],
  ["1.5", "invalid syntax"],
  ["1e3", "invalid syntax"],
  ["18446744073709551616", "value out of range"],
])("resourceVersion %j is refused with 400", (text, why) => {
  expect(() => readVersionOfGet(text)).toThrow(expect.objectContaining({ code: 400 }));
  expect(() => readVersionOfGet(text)).toThrow(
    `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${why}`,
  );
});

test.each(["9007199254740993", "9223372036854775807", "18446744073709551615"])(
  "resourceVersion %j is one that is yet to come",
  (text) => {
    expect(readVersionOfGet(text)).toEqual({ kind: "notOlderThan", revision: Number.MAX_SAFE_INTEGER - 1 });
  },
);

test("an older state replaces the newest one when the request allows it", () => {
  const orOlderOf = (at: ReadVersion) => orOlder(at, 10);
  expect(orOlderOf({ kind: "any" })).toEqual({ kind: "exact", revision: 10 });
  expect(orOlderOf({ kind: "notOlderThan", revision: toRevision(5) })).toEqual({
    kind: "exact",
    revision: 10,
  });
  expect(orOlderOf({ kind: "notOlderThan", revision: toRevision(15) })).toEqual({
    kind: "exact",
    revision: 15,
  });
  expect(orOlderOf({ kind: "mostRecent" })).toEqual({ kind: "mostRecent" });
  expect(orOlderOf({ kind: "exact", revision: toRevision(5) })).toEqual({ kind: "exact", revision: 5 });
  expect(orOlder({ kind: "any" }, undefined)).toEqual({ kind: "any" });
});

import { describe, expect, test } from "vitest";
import { checkHistory } from "./check-history.js";
import type {
  Answer,
  History,
  ListRecord,
  Operation,
  OperationRecord,
  SeenObject,
  WatchEvent,
  WatchRecord,
} from "./history.js";
import { type Call, checkLinearizable, type Model } from "./linearizability.js";

/** Handmade histories: those that a correct server can produce pass, each broken one is reported. */

const a1: SeenObject = { revision: 11, uid: "a", value: "v1", side: "left" };
const a2: SeenObject = { revision: 12, uid: "a", value: "v2", side: "right" };
const a3: SeenObject = { revision: 13, uid: "a", value: "v3", side: "left" };
const b1: SeenObject = { revision: 14, uid: "b", value: "v4", side: "left" };

function call(
  key: string,
  operation: Operation,
  answer: Answer,
  invoked: number,
  returned: number,
): OperationRecord {
  return { client: "client", server: 0, key, operation, answer, invoked, returned };
}

function write(
  key: string,
  object: SeenObject,
  kind: "create" | "update",
  from: number,
  to: number,
  expected?: number,
) {
  const operation: Operation =
    kind === "create"
      ? { kind, value: object.value, side: object.side }
      : { kind, value: object.value, side: object.side, expected };
  return call(key, operation, { kind: "object", object }, from, to);
}

const writes = [
  write("a", a1, "create", 0, 10),
  write("a", a2, "update", 20, 30, 11),
  write("a", a3, "update", 40, 50),
  write("b", b1, "create", 60, 70),
  call("a", { kind: "delete" }, { kind: "deleted", uid: "a" }, 80, 90),
];

const event = (type: "ADDED" | "MODIFIED" | "DELETED", key: string, object: SeenObject): WatchEvent => ({
  type,
  key,
  object,
  at: 100,
});
const bookmark = (revision: number): WatchEvent => ({ type: "BOOKMARK", revision, at: 100 });

const added = event("ADDED", "a", a1);
const modified = event("MODIFIED", "a", a2);
const again = event("MODIFIED", "a", a3);
const other = event("ADDED", "b", b1);
const deleted = event("DELETED", "a", { ...a3, revision: 15 });
const everything = [added, modified, again, other, deleted];

function watch(events: readonly WatchEvent[], options: Partial<WatchRecord> = {}): WatchRecord {
  const start = { kind: "exact", revision: 10 } as const;
  return { client: "watcher", server: 0, start, invoked: 0, events, end: "broken", ...options };
}

/** A second, correct watch, from which the checker learns what happened. */
const witness = watch(everything, { client: "witness" });

function list(
  revision: number,
  items: Record<string, SeenObject>,
  options: Partial<ListRecord> = {},
): ListRecord {
  return {
    client: "lister",
    server: 0,
    read: "any",
    exact: false,
    pages: 1,
    revision,
    items: new Map(Object.entries(items)),
    invoked: 100,
    returned: 110,
    ...options,
  };
}

function kindsOf(parts: Partial<History>): string[] {
  const history = {
    baseRevision: 10,
    stalled: [],
    operations: writes,
    lists: [],
    watches: [witness],
    ...parts,
  };
  return [...new Set(checkHistory(history).map((violation) => violation.kind))];
}

const get = (key: string, answer: Answer, invoked: number, returned: number): OperationRecord =>
  call(key, { kind: "get", read: "recent" }, answer, invoked, returned);
const found = (object: SeenObject): Answer => ({ kind: "object", object });
const unknown: Answer = { kind: "unknown" };

describe("operations", () => {
  test.each<[string, readonly OperationRecord[]]>([
    ["nothing else", []],
    ["reads in between", [get("a", found(a1), 11, 19), get("a", found(a2), 31, 39)]],
    ["a read beside a write that finds the old state", [get("a", found(a1), 20, 35)]],
    ["a read beside a write that finds the new state", [get("a", found(a2), 20, 25)]],
    [
      "a conflict",
      [call("a", { kind: "update", value: "x", side: "left", expected: 11 }, { kind: "conflict" }, 31, 39)],
    ],
    [
      "a create that finds it there",
      [call("a", { kind: "create", value: "x", side: "left" }, { kind: "exists" }, 31, 39)],
    ],
    ["a read of nothing after the delete", [get("a", { kind: "absent" }, 95, 99)]],
    [
      "a lost write that never happened",
      [call("b", { kind: "update", value: "x", side: "left" }, unknown, 71, 79)],
    ],
    [
      "a lost delete that explains a later absence",
      [
        call("b", { kind: "delete" }, unknown, 71, 79),
        get("b", found(b1), 91, 92),
        get("b", { kind: "absent" }, 95, 99),
      ],
    ],
    ["an old read of version 0", [call("a", { kind: "get", read: "any" }, found(a1), 51, 52)]],
    ["an old read not older than what it asked", [call("a", { kind: "get", read: 12 }, found(a2), 51, 52)]],
  ])("%s is right", (_, more) => {
    expect(kindsOf({ operations: [...writes, ...more] })).toEqual([]);
  });

  test.each<[string, string, readonly OperationRecord[]]>([
    ["a stale read", "not-linearizable", [get("a", found(a1), 31, 39)]],
    ["a read of nothing while it exists", "not-linearizable", [get("a", { kind: "absent" }, 31, 39)]],
    ["a read of what is deleted", "not-linearizable", [get("a", found(a3), 91, 99)]],
    ["a read that goes back", "not-linearizable", [get("a", found(a2), 21, 22), get("a", found(a1), 23, 24)]],
    [
      "a conflict without cause",
      "not-linearizable",
      [call("a", { kind: "update", value: "x", side: "left", expected: 12 }, { kind: "conflict" }, 31, 39)],
    ],
    [
      "a create that fails without cause",
      "not-linearizable",
      [call("c", { kind: "create", value: "x", side: "left" }, { kind: "exists" }, 31, 39)],
    ],
    [
      "two deletes of one object",
      "not-linearizable",
      [call("a", { kind: "delete" }, { kind: "deleted", uid: "a" }, 81, 91)],
    ],
    ["a read older than it may be", "stale-read", [call("a", { kind: "get", read: 13 }, found(a2), 51, 52)]],
    [
      "other contents at the same version",
      "different-contents",
      [call("a", { kind: "get", read: "any" }, found({ ...a2, value: "other" }), 51, 52)],
    ],
    ["an answer from nowhere", "unexpected-answer", [get("a", { kind: "unexpected", text: "418" }, 51, 52)]],
  ])("%s is a violation", (_, kind, more) => {
    expect(kindsOf({ operations: [...writes, ...more] })).toContain(kind);
  });

  test("a lost update is a violation: two updates of the same version succeed", () => {
    const lost = { revision: 16, uid: "b", value: "lost", side: "left" };
    const kept = { revision: 17, uid: "b", value: "kept", side: "left" };
    const operations = [
      ...writes,
      write("b", lost, "update", 91, 99, 14),
      write("b", kept, "update", 91, 99, 14),
    ];
    const watches = [watch([...everything, event("MODIFIED", "b", lost), event("MODIFIED", "b", kept)])];
    expect(kindsOf({ operations, watches })).toEqual(["not-linearizable"]);
  });

  test("an acknowledged write that is gone after a crash is a violation", () => {
    const operations = [...writes.slice(0, 3), get("a", found(a2), 60, 70)];
    expect(kindsOf({ operations, watches: [] })).toEqual(["not-linearizable"]);
  });

  test("a write that failed for its client and yet happened is a violation", () => {
    const object = { revision: 16, uid: "b", value: "phantom", side: "left" };
    const failed: Operation = { kind: "update", value: "phantom", side: "left", expected: 14 };
    const operations = [
      ...writes,
      call("b", failed, { kind: "conflict" }, 91, 92),
      get("b", found(object), 95, 99),
    ];
    expect(kindsOf({ operations, watches: [] })).toContain("not-linearizable");
  });

  test("a lost write that someone saw must have happened by then", () => {
    const object = { revision: 16, uid: "b", value: "v5", side: "left" };
    const lost = call("b", { kind: "update", value: "v5", side: "left" }, unknown, 91, 93);
    const watches = [watch([...everything, event("MODIFIED", "b", object)])];
    expect(kindsOf({ operations: [...writes, lost], watches })).toEqual([]);
    const back = [get("b", found(object), 94, 95), get("b", found(b1), 96, 97)];
    expect(kindsOf({ operations: [...writes, lost, ...back], watches })).toContain("not-linearizable");
  });

  test("versions that contradict time are a violation, across objects too", () => {
    const early = write("c", { revision: 20, uid: "c", value: "c1", side: "left" }, "create", 100, 110);
    const late = write("d", { revision: 19, uid: "d", value: "d1", side: "left" }, "create", 120, 130);
    expect(kindsOf({ operations: [...writes, early, late], watches: [] })).toEqual(["revision-order"]);
  });
});

describe("lists", () => {
  test.each<[string, ListRecord]>([
    ["most recent", list(15, { b: b1 }, { read: "recent" })],
    ["any", list(12, { a: a2 })],
    ["exact", list(13, { a: a3 }, { read: 13, exact: true })],
    ["not older", list(14, { a: a3, b: b1 }, { read: 13 })],
    ["of a selection", list(14, { a: a3, b: b1 }, { side: "left" })],
    ["of an empty selection", list(14, {}, { side: "right" })],
  ])("%s is right", (_, record) => {
    expect(kindsOf({ lists: [record] })).toEqual([]);
  });

  test.each<[string, string, ListRecord]>([
    ["stale", "stale-read", list(14, { a: a3, b: b1 }, { read: "recent" })],
    ["older than asked", "stale-read", list(12, { a: a2 }, { read: 13 })],
    ["of another version than exactly asked", "wrong-list", list(13, { a: a3 }, { read: 12, exact: true })],
    ["without an object", "wrong-list", list(14, { b: b1 })],
    ["with an object too many", "wrong-list", list(15, { a: a3, b: b1 })],
    ["with an older object", "wrong-list", list(13, { a: a2 })],
    ["with an object outside of the selection", "wrong-list", list(12, { a: a2 }, { side: "left" })],
  ])("a list that is %s is a violation", (_, kind, record) => {
    expect(kindsOf({ lists: [record] })).toContain(kind);
  });
});

describe("watches", () => {
  const moved = event("DELETED", "a", { ...a1, revision: 12 });
  const movedBack = event("ADDED", "a", a3);
  test.each<[string, WatchRecord]>([
    ["everything", watch(everything)],
    ["everything until it broke", watch(everything.slice(0, 3))],
    ["from a later version", watch([again, other], { start: { kind: "exact", revision: 12 } })],
    [
      "with bookmarks",
      watch([added, bookmark(11), modified, bookmark(12), again, other, deleted, bookmark(20)]),
    ],
    [
      "objects that leave and enter a selection",
      watch([added, moved, movedBack, other, deleted], { side: "left" }),
    ],
    ["an initial state", watch([event("ADDED", "a", a2), again, other], { start: { kind: "any" } })],
    ["a part of an initial state", watch([other], { start: { kind: "any" } })],
    [
      "no initial state",
      watch([event("ADDED", "a", a2), event("DELETED", "a", { ...a2, revision: 13 })], {
        start: { kind: "any" },
        side: "right",
      }),
    ],
    ["a recent initial state", watch([other], { start: { kind: "recent" }, invoked: 99 })],
    ["an initial state in no order", watch([other, movedBack, deleted], { start: { kind: "any" } })],
  ])("%s is right", (_, record) => {
    expect(kindsOf({ watches: [witness, record] })).toEqual([]);
  });

  test.each<[string, string, WatchRecord]>([
    ["skips an event", "skipped-event", watch([added, again, other])],
    [
      "skips a deletion",
      "skipped-event",
      watch([...everything.slice(0, 4), event("ADDED", "c", { ...b1, revision: 16, value: "v6" })]),
    ],
    ["skips the first event", "skipped-event", watch([modified, again])],
    ["repeats an event", "repeated-event", watch([added, modified, modified, again])],
    ["goes back", "repeated-event", watch([added, again, modified])],
    [
      "repeats what it was resumed after",
      "repeated-event",
      watch([modified, again], { start: { kind: "exact", revision: 12 } }),
    ],
    [
      "bookmarks what it has not delivered",
      "dishonest-bookmark",
      watch([added, modified, bookmark(13), other]),
    ],
    ["delivers what it has bookmarked", "dishonest-bookmark", watch([added, modified, bookmark(13), again])],
    ["bookmarks backwards", "dishonest-bookmark", watch([added, modified, bookmark(11)])],
    ["bookmarks at the end what it never delivered", "dishonest-bookmark", watch([added, bookmark(15)])],
    ["calls an addition a change", "wrong-event", watch([event("MODIFIED", "a", a1)])],
    ["delivers another object", "wrong-event", watch([{ ...added, key: "z" } as WatchEvent])],
    [
      "deletes with the wrong content",
      "wrong-event",
      watch([...everything.slice(0, 4), event("DELETED", "a", { ...a2, revision: 15 })]),
    ],
    ["delivers what is outside of its selection", "wrong-event", watch([added, modified], { side: "left" })],
    [
      "does not tell that an object left its selection",
      "skipped-event",
      watch([added, movedBack], { side: "left" }),
    ],
    [
      "starts with an old state",
      "wrong-event",
      watch([added, deleted], { start: { kind: "recent" }, invoked: 99 }),
    ],
    [
      "starts with a state that never was",
      "skipped-event",
      watch([added, other, deleted], { start: { kind: "any" } }),
    ],
    [
      "skips after its initial state",
      "skipped-event",
      watch([added, modified, other], { start: { kind: "any" } }),
    ],
  ])("a watch that %s is a violation", (_, kind, record) => {
    expect(kindsOf({ watches: [witness, record] })).toContain(kind);
  });

  test("a deletion that no watch tells of is a violation", () => {
    const watches = [watch([...everything.slice(0, 4), bookmark(20)])];
    expect(kindsOf({ watches, finalRevision: 20 })).toEqual(["skipped-event"]);
  });

  test("a watcher that never sees the end is a violation", () => {
    expect(kindsOf({ stalled: ["watcher"], finalRevision: 20 })).toContain("stalled-watch");
  });
});

describe("the search for an order", () => {
  type Input = { readonly write: number } | { readonly read: number };
  const register: Model<number, Input> = {
    initial: 0,
    step: (state, input) => ("write" in input ? input.write : input.read === state ? state : undefined),
    keyOf: String,
  };
  const at = (input: Input, invoked: number, returned: number): Call<Input> => ({ input, invoked, returned });

  test("calls that overlap may come in either order", () => {
    const calls = [
      at({ write: 1 }, 0, 10),
      at({ write: 2 }, 0, 10),
      at({ read: 1 }, 11, 12),
      at({ read: 1 }, 13, 14),
    ];
    expect(checkLinearizable(register, calls).kind).toBe("linearizable");
    expect(checkLinearizable(register, [...calls, at({ read: 2 }, 15, 16)]).kind).toBe("impossible");
  });

  test("a call without a return happens late or never", () => {
    const lost = at({ write: 1 }, 0, Number.POSITIVE_INFINITY);
    for (const reads of [
      [0, 0],
      [0, 1],
      [1, 1],
    ]) {
      const calls = reads.map((read, index) => at({ read }, 10 + index * 10, 15 + index * 10));
      expect(checkLinearizable(register, [lost, ...calls]).kind).toBe("linearizable");
    }
    const back = [at({ read: 1 }, 10, 15), at({ read: 0 }, 20, 25)];
    expect(checkLinearizable(register, [lost, ...back]).kind).toBe("impossible");
  });

  test("gives up, and says so, when there is too much to try", () => {
    const calls = [1, 2, 3, 4, 5, 6].map((write) => at({ write }, 0, 10));
    expect(checkLinearizable(register, [...calls, at({ read: 9 }, 11, 12)], 50).kind).toBe("undecided");
  });
});

describe("rewinds", () => {
  const back: SeenObject = { ...a2, revision: 16 };
  const rewinds = [{ invoked: 95, after: 15, through: 17 }];
  const gone = event("DELETED", "b", { ...b1, revision: 17 });
  const watches = [watch([...everything, event("ADDED", "a", back), gone], { client: "witness" })];
  const operations = [
    ...writes,
    get("a", found(back), 130, 135),
    get("b", { kind: "absent" }, 130, 135),
    // Beside it, and never answered.
    call("a", { kind: "update", value: "x", side: "left" }, unknown, 100, 101),
  ];

  test("what a rewind restored or removed counts as written again", () => {
    expect(kindsOf({ operations, watches, rewinds })).toEqual([]);
  });

  test("without a rewind nothing comes back", () => {
    expect(kindsOf({ operations, watches })).toContain("not-linearizable");
  });

  test.each<[string, readonly OperationRecord[]]>([
    ["the state before it", [get("a", { kind: "absent" }, 140, 145)]],
    ["another version of what came back", [get("a", found(a3), 140, 145)]],
    ["what went", [get("b", found(b1), 140, 145)]],
  ])("nobody sees %s after it", (_what, more) => {
    expect(kindsOf({ operations: [...operations, ...more], watches, rewinds })).toContain("not-linearizable");
  });

  test("an event of it is not skipped, and not repeated", () => {
    const skipped = watch([...everything, gone], { client: "follower" });
    expect(kindsOf({ operations, watches: [...watches, skipped], rewinds })).toEqual(["skipped-event"]);
    const repeated = watch([...everything, event("ADDED", "a", back), event("MODIFIED", "a", back)]);
    expect(kindsOf({ operations, watches: [...watches, repeated], rewinds })).toEqual(["repeated-event"]);
  });
});

import { afterEach, expect, test, vi } from "vitest";
import { toRevision } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import { listView } from "./list-view.js";
import { SortedIndex } from "./sorted-index.js";

afterEach(() => vi.restoreAllMocks());

const count = 1000;
const view = {
  index: SortedIndex.fromSorted(
    Array.from({ length: count }, (_, i) => key(i)),
    Array.from({ length: count }, (_, i) => stored(key(i))),
  ),
  revision: toRevision(1),
};

function key(index: number): string {
  return `o${String(index).padStart(4, "0")}`;
}

function stored(name: string): StoredObject<object> {
  return {
    key: name,
    revision: toRevision(1),
    body: Buffer.alloc(0),
    labels: {},
    fields: {},
    decode: () => ({}),
  };
}

/** Each evaluation takes a millisecond of a fake clock. */
function slowSelector(): () => boolean {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return () => {
    now++;
    return true;
  };
}

const everything = { prefix: "", at: { kind: "mostRecent" as const }, limit: 0 };

test("a selector that takes long lets others have their turns", async () => {
  const matches = slowSelector();
  let turns = 0;
  let tick = setImmediate(function again() {
    turns++;
    tick = setImmediate(again);
  });
  const { items } = await listView(view, { ...everything, matches }, undefined);
  clearImmediate(tick);
  expect(items.map((item) => item.key)).toEqual(Array.from({ length: count }, (_, i) => key(i)));
  expect(turns).toBeGreaterThan(count / 32);
});

test("and ends when nobody waits for it", async () => {
  const gone = new AbortController();
  const listing = listView(view, { ...everything, matches: slowSelector(), signal: gone.signal }, undefined);
  gone.abort(new Error("gone"));
  await expect(listing).rejects.toThrow("gone");
});

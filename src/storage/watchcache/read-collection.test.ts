import { expect, test, vi } from "vitest";
import { loopTurns } from "../../event-loop/loop-turns.js";
import type { KeyValue, KeyValueStore } from "../kv.js";
import { toRevision } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import type { ObjectReader } from "../store/object-reader.js";
import { readCollection } from "./read-collection.js";

/** Reads `count` values of so many bytes, and tells the size of each page. */
async function pagesOf(count: number, bytes: number): Promise<number[]> {
  const all = Array.from({ length: count }, (_, at) => ({
    key: `/things/${String(at).padStart(5, "0")}`,
    value: { length: bytes },
  })) as unknown as KeyValue[]; // nothing else is read
  const pages: number[] = [];
  const kv: Pick<KeyValueStore, "range"> = {
    async range({ start, limit = count }) {
      const rest = all.filter(({ key }) => key >= start);
      const kvs = rest.slice(0, limit);
      pages.push(kvs.length);
      return { kvs, more: rest.length > limit, count: rest.length, revision: toRevision(7) };
    },
  };
  const reader = {
    read: ({ key }: KeyValue) => ({ key }) as StoredObject<unknown>,
    preparation: () => undefined,
  } as unknown as ObjectReader<unknown>;
  const { keys } = await readCollection(kv, "/things/", reader);
  expect(keys).toEqual(all.map(({ key }) => key));
  return pages;
}

test("pages of large values have few keys, those of small values many", async () => {
  expect(await pagesOf(200, 1_000_000)).toEqual([50, ...Array(75).fill(2)]);
  expect(await pagesOf(2500, 100)).toEqual([50, 1000, 1000, 450]);
  expect(await pagesOf(50, 4_000_000)).toEqual([50]);
  expect(await pagesOf(52, 4_000_000)).toEqual([50, 1, 1]);
  expect(await pagesOf(0, 0)).toEqual([0]);
});

test("what reading needs is made ready with turns in between, where there is something to read", async () => {
  const notes: string[] = [];
  const reader = {
    read({ key }: KeyValue) {
      notes.push(`read ${key}`);
      return { key } as StoredObject<unknown>;
    },
    preparation: () => [() => void notes.push("first"), () => void notes.push("second")],
  } as unknown as ObjectReader<unknown>;
  const read = (kvs: readonly { readonly key: string }[]) =>
    readCollection(
      { range: async () => ({ kvs: kvs as KeyValue[], more: false, count: 1, revision: toRevision(7) }) },
      "/things/",
      reader,
    );
  const take = vi.spyOn(loopTurns.work, "take");
  await read([]);
  expect(notes).toEqual([]);
  await read([{ key: "/things/a" }]);
  expect(notes).toEqual(["first", "second", "read /things/a"]);
  expect(take).toHaveBeenCalledTimes(2);
});

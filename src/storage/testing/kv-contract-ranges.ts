import { describe, expect, test } from "vitest";
import { noRevision, type RangeRequest, type RangeResult, toRevision } from "../kv.js";
import { type KvGround, toText } from "./kv-ground.js";

export function describeRanges(ground: () => KvGround): void {
  const read = (request: Partial<RangeRequest> = {}): Promise<RangeResult> =>
    ground().store.range({ ...ground().all(), ...request });
  const names = (result: RangeResult): string[] => result.kvs.map((kv) => ground().name(kv.key));

  async function fill(count: number): Promise<string[]> {
    const filled = Array.from({ length: count }, (_, index) => `key-${String(index).padStart(4, "0")}`);
    await Promise.all(filled.map((name) => ground().put(name, `value of ${name}`)));
    return filled;
  }

  describe("ranges", () => {
    test("one key, or none", async () => {
      await ground().put("a", "1");
      await ground().put("ab", "2");
      const one = await ground().store.range({ start: ground().key("a") });
      expect(names(one)).toEqual(["a"]);
      expect(one).toMatchObject({ count: 1, more: false });
      const none = await ground().store.range({ start: ground().key("b") });
      expect(none).toMatchObject({ kvs: [], count: 0, more: false });
    });

    test("hold their start and not their end", async () => {
      for (const name of ["a", "b", "c", "d"]) await ground().put(name, name);
      expect(names(await read({ start: ground().key("b"), end: ground().key("d") }))).toEqual(["b", "c"]);
    });

    test("with an end at or before the start are empty", async () => {
      for (const name of ["a", "b"]) await ground().put(name, name);
      for (const end of [ground().key("b"), ground().key("a"), "\0"]) {
        expect(await read({ start: ground().key("b"), end })).toMatchObject({
          kvs: [],
          count: 0,
          more: false,
        });
      }
    });

    test("are ordered by bytes, whatever order the keys were written in", async () => {
      const written = ["b/", "\u{1f600}", "～", "a0", "a", "é", "a/x", "B", "a-b", "zz", "z"];
      for (const name of written) await ground().put(name, name);
      const expected = [...written].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(names(await read())).toEqual(expected);
    });

    test("carry the store's revision, not that of a key", async () => {
      await ground().put("a", "1");
      const newest = await ground().put("elsewhere", "1");
      expect((await read({ start: ground().key("a"), end: undefined })).revision).toBe(newest);
    });

    test("stop at a limit, and still count", async () => {
      const filled = await fill(7);
      const page = await read({ limit: 3 });
      expect(names(page)).toEqual(filled.slice(0, 3));
      expect(page).toMatchObject({ count: 7, more: true });
      expect(await read({ limit: 7 })).toMatchObject({ count: 7, more: false });
      expect(await read({ limit: 8 })).toMatchObject({ count: 7, more: false });
      expect(names(await read({ limit: 0 }))).toEqual(filled);
    });

    test("without a count are the same pages, also of the past", async () => {
      const filled = await fill(7);
      const revision = await ground().put("zz", "later");
      const then = toRevision(revision - 1);
      for (const [at, all] of [
        [undefined, [...filled, "zz"]],
        [then, filled],
      ] as const) {
        for (const limit of [3, all.length, 0]) {
          const page = await read({ revision: at, limit, withoutCount: true });
          expect(names(page)).toEqual(limit === 0 ? all : all.slice(0, limit));
          expect(page.more).toBe(names(page).length < all.length);
        }
      }
    });

    test("leave out values on request", async () => {
      const revision = await ground().put("a", "value");
      const { kvs } = await read({ keysOnly: true });
      expect(kvs).toMatchObject([{ key: ground().key("a"), modRevision: revision, version: 1 }]);
      expect(kvs[0]?.value.length).toBe(0);
    });

    test("only count on request", async () => {
      await fill(5);
      expect(await read({ countOnly: true })).toMatchObject({ kvs: [], count: 5, more: false });
    });

    test("a large one is complete", async () => {
      const filled = await fill(3000);
      const all = await read();
      expect(names(all)).toEqual(filled);
      expect(all.kvs.every((kv) => toText(kv.value) === `value of ${ground().name(kv.key)}`)).toBe(true);
      expect(all).toMatchObject({ count: 3000, more: false });
    });
  });

  describe("ranges at a revision", () => {
    test("see the keys as they were", async () => {
      await ground().put("a", "a1");
      const first = await ground().put("b", "b1");
      await ground().put("a", "a2");
      await ground().delete("b");
      const second = await ground().put("c", "c1");
      await ground().put("b", "b2");

      expect(await ground().contents(first)).toEqual({ a: "a1", b: "b1" });
      expect(await ground().contents(toRevision(first + 1))).toEqual({ a: "a2", b: "b1" });
      expect(await ground().contents(second)).toEqual({ a: "a2", c: "c1" });
      expect(await ground().contents()).toEqual({ a: "a2", b: "b2", c: "c1" });
      expect(await ground().contents(noRevision)).toEqual({ a: "a2", b: "b2", c: "c1" });
      expect((await ground().get("b", first))?.version).toBe(1);
      expect(await ground().get("b", second)).toBeUndefined();
    });

    test("count and page there too", async () => {
      const filled = await fill(10);
      const then = await ground().store.currentRevision();
      for (const name of filled.slice(2, 6)) await ground().delete(name);
      for (const name of filled.slice(6)) await ground().put(name, "changed");
      await ground().put("key-0003-new", "new");

      expect(await read({ revision: then, countOnly: true })).toMatchObject({ kvs: [], count: 10 });
      const seen: string[] = [];
      let start = ground().all().start;
      for (;;) {
        const page = await read({ start, revision: then, limit: 4 });
        expect(page.count).toBe(10 - seen.length);
        expect(page.kvs.every((kv) => toText(kv.value) === `value of ${ground().name(kv.key)}`)).toBe(true);
        seen.push(...names(page));
        if (!page.more) break;
        start = `${page.kvs.at(-1)?.key}\0`;
        await ground().delete(seen.at(-1) ?? "");
      }
      expect(seen).toEqual(filled);
    });

    test("tell the store's revision as it is now", async () => {
      const then = await ground().put("a", "1");
      const now = await ground().put("a", "2");
      expect(await read({ revision: then })).toMatchObject({ revision: now, kvs: [{ modRevision: then }] });
    });

    test("of the future are refused", async () => {
      const revision = await ground().put("a", "1");
      expect((await read({ revision })).count).toBe(1);
      await expect(read({ revision: toRevision(revision + 1) })).rejects.toMatchObject({
        name: "StorageError",
        code: "FutureRevision",
      });
    });

    test("work inside a transaction", async () => {
      const then = await ground().put("a", "1");
      await ground().put("a", "2");
      const { results } = await ground().transact(
        { kind: "range", range: { start: ground().key("a"), revision: then } },
        { kind: "range", range: { start: ground().key("a") } },
      );
      const values = results.map((result) =>
        result.kind === "range" ? result.result.kvs.map((kv) => toText(kv.value)) : [],
      );
      expect(values).toEqual([["1"], ["2"]]);
    });
  });
}

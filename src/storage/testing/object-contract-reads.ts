import { describe, expect, test } from "vitest";
import { toRevision } from "../kv.js";
import type { ObjectAttributes, ReadVersion } from "../object-store.js";
import { type ObjectGround, shownList } from "./object-ground.js";
import { settle } from "./recorded-sink.js";

const mostRecent: ReadVersion = { kind: "mostRecent" };
const inTeam = (team: string) => (attributes: ObjectAttributes) => attributes.labels.team === team;

function notOlderThan(revision: number): ReadVersion {
  return { kind: "notOlderThan", revision: toRevision(revision) };
}

export function describeObjectReads(ground: () => ObjectGround): void {
  describe("get", () => {
    test("most recent, any and not older than give the newest object with its version", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const revision = await g.set("a/x", "2");
      for (const at of [mostRecent, { kind: "any" } as const, notOlderThan(revision), notOlderThan(1)]) {
        const object = await g.store.get("a/x", at);
        expect(object.revision).toBe(revision);
        expect(object.decode()).toMatchObject({
          metadata: { name: "x", namespace: "a", resourceVersion: String(revision) },
          value: "2",
        });
        expect(object.body.toString()).toContain(`"resourceVersion":"${revision}"`);
      }
    });

    test("a decoded object belongs to the caller", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const object = await g.store.get("a/x", mostRecent);
      object.decode().value = "changed";
      expect((await g.store.get("a/x", mostRecent)).decode().value).toBe("1");
    });

    test("what is not there is KeyNotFound, also after it was deleted", async () => {
      const g = ground();
      await g.create("a/x");
      await expect(g.store.get("a/y", mostRecent)).rejects.toMatchObject({ code: "KeyNotFound" });
      await expect(g.store.get("a", mostRecent)).rejects.toMatchObject({ code: "KeyNotFound" });
      await g.delete("a/x");
      await expect(g.store.get("a/x", mostRecent)).rejects.toMatchObject({ code: "KeyNotFound" });
    });

    test("a version that does not come is FutureRevision after about three seconds", async () => {
      const g = ground();
      const revision = await g.create("a/x");
      const read = g.store.get("a/x", notOlderThan(revision + 10));
      const outcome = expect(read).rejects.toMatchObject({
        code: "FutureRevision",
        revision: revision + 10,
        message: `Too large resource version: ${revision + 10}, current: ${revision}`,
      });
      for (let step = 0; step < 35; step++) {
        await settle();
        await g.advance(100);
      }
      await outcome;
    });

    test("a version that comes in time is waited for, even when it changes another collection", async () => {
      const g = ground();
      const revision = await g.create("a/x");
      const read = g.store.get("a/x", notOlderThan(revision + 2));
      await settle();
      await g.elsewhere();
      await g.elsewhere();
      const advancing = setInterval(() => void g.advance(100), 5);
      try {
        expect((await read).revision).toBe(revision);
      } finally {
        clearInterval(advancing);
      }
    });
  });

  describe("list", () => {
    test("gives the objects in key order at the store's revision", async () => {
      const g = ground();
      for (const key of ["b/x", "a/y", "a/x", "a.b/x", "b/é", "b/～", "b/😀"]) await g.create(key);
      const revision = await g.elsewhere();
      const expected = ["a.b/x", "a/x", "a/y", "b/x", "b/é", "b/～", "b/😀"];
      for (const at of [mostRecent, notOlderThan(revision), { kind: "exact", revision } as const]) {
        const result = await g.list({ at });
        expect(result.items.map(({ key }) => key)).toEqual(expected);
        expect(result).toMatchObject({ revision, continueAfter: undefined, remaining: undefined });
      }
      expect((await g.list({ at: { kind: "any" } })).items).toHaveLength(7);
      expect(await g.store.count()).toBe(7);
      expect(await g.store.currentRevision()).toBe(revision);
    });

    test("of nothing is empty and has a version too", async () => {
      const g = ground();
      const revision = await g.elsewhere();
      expect(await g.list()).toMatchObject({ items: [], revision, continueAfter: undefined });
    });

    test("exact gives the state of that version", async () => {
      const g = ground();
      const first = await g.create("a/x", "1");
      const second = await g.create("a/y", "1");
      const third = await g.set("a/x", "2");
      const fourth = await g.delete("a/y");
      const states: [number, string[]][] = [
        [first - 1, []],
        [first, [`a/x=1@${first}`]],
        [second, [`a/x=1@${first}`, `a/y=1@${second}`]],
        [third, [`a/x=2@${third}`, `a/y=1@${second}`]],
        [fourth, [`a/x=2@${third}`]],
      ];
      for (const [revision, expected] of states) {
        const result = await g.list({ at: { kind: "exact", revision: toRevision(revision) } });
        expect(shownList(result)).toEqual(expected);
        expect(result.revision).toBe(revision);
      }
    });

    test("exact at a compacted version is Compacted, whatever memory holds", async () => {
      const g = ground();
      const first = await g.create("a/x", "1");
      for (let value = 2; value < 6; value++) await g.set("a/x", String(value));
      const revision = await g.store.currentRevision();
      await g.subject.kv.compact(revision);
      for (const limit of [0, 1]) {
        const read = g.list({ at: { kind: "exact", revision: first }, limit });
        await expect(read).rejects.toMatchObject({ code: "Compacted" });
      }
      expect(shownList(await g.list({ at: { kind: "exact", revision } }))).toEqual([`a/x=5@${revision}`]);
    });

    test.each(["exact", "notOlderThan"] as const)(
      "%s of a future version is FutureRevision",
      async (kind) => {
        const g = ground();
        const revision = await g.create("a/x");
        const at = { kind, revision: toRevision(revision + 5) };
        const outcome = expect(g.list({ at })).rejects.toMatchObject({ code: "FutureRevision" });
        for (let step = 0; step < 35; step++) {
          await settle();
          await g.advance(100);
        }
        await outcome;
      },
    );

    test("keeps to a namespace, a key and a selector", async () => {
      const g = ground();
      await g.create("a/x", "1", { team: "red" });
      await g.create("a/y", "1", { team: "blue" });
      await g.create("b/x", "1", { team: "red" });
      await g.create("aa/x", "1", { team: "red" });
      const keys = async (request: Parameters<ObjectGround["list"]>[0]): Promise<string[]> =>
        (await g.list(request)).items.map(({ key }) => key);
      expect(await keys({ prefix: "a/" })).toEqual(["a/x", "a/y"]);
      expect(await keys({ prefix: "c/" })).toEqual([]);
      expect(await keys({ matches: inTeam("red") })).toEqual(["a/x", "aa/x", "b/x"]);
      expect(await keys({ prefix: "a/", matches: inTeam("red") })).toEqual(["a/x"]);
      expect(await keys({ prefix: "a/", key: "a/y" })).toEqual(["a/y"]);
      expect(await keys({ prefix: "a/", key: "a/y", limit: 5 })).toEqual(["a/y"]);
      expect(await keys({ prefix: "a/", key: "a/y", matches: inTeam("red") })).toEqual([]);
      expect(await keys({ prefix: "a/", key: "a/z" })).toEqual([]);
    });

    test("a limit cuts, and tells where to go on and how much is left", async () => {
      const g = ground();
      for (const name of "abcdefg") await g.create(`n/${name}`);
      await g.create("m/x");
      await g.create("o/x");
      const pages = await g.pages({ prefix: "n/", limit: 3 });
      expect(pages.map(({ items }) => items.map(({ key }) => key))).toEqual([
        ["n/a", "n/b", "n/c"],
        ["n/d", "n/e", "n/f"],
        ["n/g"],
      ]);
      expect(pages.map(({ continueAfter }) => continueAfter)).toEqual(["n/c", "n/f", undefined]);
      expect(pages.map(({ remaining }) => remaining)).toEqual([4, 1, undefined]);
      const exact = await g.list({ prefix: "n/", limit: 7 });
      expect(exact).toMatchObject({ continueAfter: undefined, remaining: undefined });
    });

    test("a limit with a selector counts what matches", async () => {
      const g = ground();
      for (let number = 0; number < 40; number++) {
        await g.create(`n/${String(number).padStart(2, "0")}`, "1", {
          team: number % 10 === 3 ? "red" : "blue",
        });
      }
      const pages = await g.pages({ limit: 2, matches: inTeam("red") });
      const keys = pages.flatMap(({ items }) => items.map(({ key }) => key));
      expect(keys).toEqual(["n/03", "n/13", "n/23", "n/33"]);
      for (const page of pages) {
        expect(page.items.length).toBeLessThanOrEqual(2);
        expect(page.remaining).toBeUndefined();
      }
    });

    test("continuing after a key that is gone, or lies outside, goes on at the next", async () => {
      const g = ground();
      for (const key of ["a/x", "b/x", "b/y", "c/x"]) await g.create(key);
      const keysAfter = async (after: string): Promise<string[]> =>
        (await g.list({ prefix: "b/", after })).items.map(({ key }) => key);
      expect(await keysAfter("b/w")).toEqual(["b/x", "b/y"]);
      expect(await keysAfter("b/x")).toEqual(["b/y"]);
      expect(await keysAfter("a/zzz")).toEqual(["b/x", "b/y"]);
      expect(await keysAfter("c/x")).toEqual([]);
      expect((await g.list({ prefix: "b/", key: "b/x", after: "b/x" })).items).toEqual([]);
    });

    test("the pages of a list are one state, whatever is written between them", async () => {
      const g = ground();
      for (let number = 0; number < 25; number++) await g.create(`n/${String(number).padStart(2, "0")}`);
      const whole = shownList(await g.list());
      let turn = 0;
      const pages = await g.pages({ limit: 4 }, async () => {
        turn++;
        await g.set(`n/${String(24 - turn).padStart(2, "0")}`, "changed");
        await g.delete(`n/${String(turn + 8).padStart(2, "0")}`);
        await g.create(`n/${String(turn + 8).padStart(2, "0")}x`);
      });
      expect(pages.flatMap(shownList)).toEqual(whole);
      expect(new Set(pages.map(({ revision }) => revision)).size).toBe(1);
    });
  });
}

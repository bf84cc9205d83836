import { describe, expect, test } from "vitest";
import { StorageError } from "../storage-error.js";
import { changeObject, removeObject } from "../store/change-object.js";
import type { ObjectGround } from "./object-ground.js";
import { testObject } from "./test-object.js";

export function describeObjectWrites(ground: () => ObjectGround): void {
  describe("create", () => {
    test("gives the object its version, whatever it claimed to have", async () => {
      const g = ground();
      const object = testObject("a/x", "1");
      object.metadata.resourceVersion = "77";
      const stored = await g.store.create("a/x", object);
      expect(stored.key).toBe("a/x");
      expect(stored.revision).toBe(await g.store.currentRevision());
      expect(stored.decode().metadata.resourceVersion).toBe(String(stored.revision));
      expect(stored.labels).toEqual({});
      expect(stored.fields).toEqual({ "metadata.name": "x", "metadata.namespace": "a" });
    });

    test("of what exists is KeyExists, and possible again once that is deleted", async () => {
      const g = ground();
      await g.create("a/x");
      await expect(g.create("a/x", "2")).rejects.toMatchObject({ code: "KeyExists", key: "a/x" });
      await g.delete("a/x");
      const revision = await g.create("a/x", "3");
      expect((await g.list()).items.map((item) => item.revision)).toEqual([revision]);
    });

    test("with a TTL is gone afterwards, and watchers are told", async ({ skip }) => {
      const g = ground();
      if (g.subject.answersWithinMs !== undefined) skip("leases of a store elsewhere run on real time");
      await g.store.create("a/x", testObject("a/x", "1"), { ttlSeconds: 100 });
      await g.store.create("a/y", testObject("a/y", "1"), { ttlSeconds: 100 });
      await g.create("a/z");
      const sink = await g.watch();
      await sink.untilCount(3);
      await g.advance(120_000);
      // An engine may look for leases that ran out only when it is used.
      await g.elsewhere();
      await sink.untilCount(5);
      expect(sink.received.slice(3).map(({ type }) => type)).toEqual(["DELETED", "DELETED"]);
      expect((await g.list()).items.map(({ key }) => key)).toEqual(["a/z"]);
    });
  });

  describe("update", () => {
    test("changes the newest state", async () => {
      const g = ground();
      const created = await g.create("a/x", "1", { team: "red" });
      const stored = await changeObject(g.store, "a/x", (current) => {
        expect(current?.revision).toBe(created);
        expect(current?.decode().metadata.resourceVersion).toBe(String(created));
        return { object: testObject("a/x", "2", { team: "blue" }) };
      });
      expect(stored.revision).toBeGreaterThan(created);
      expect(stored.labels).toEqual({ team: "blue" });
      expect(stored.decode()).toMatchObject({
        value: "2",
        metadata: { resourceVersion: String(stored.revision) },
      });
      expect((await g.store.get("a/x", { kind: "mostRecent" })).decode()).toEqual(stored.decode());
    });

    test("that changes nothing writes nothing, and is computed once", async () => {
      const g = ground();
      const created = await g.create("a/x", "1");
      await g.list();
      let computed = 0;
      const stored = await changeObject(g.store, "a/x", () => {
        computed++;
        return { object: testObject("a/x", "1") };
      });
      expect([stored.revision, computed]).toEqual([created, 1]);
    });

    test("of what is missing is KeyNotFound, or makes it", async () => {
      const g = ground();
      const change = (): { object: ReturnType<typeof testObject> } => ({ object: testObject("a/x", "1") });
      await expect(changeObject(g.store, "a/x", change)).rejects.toMatchObject({ code: "KeyNotFound" });
      const made = await changeObject(g.store, "a/x", change, { createIfMissing: true });
      expect((await g.store.get("a/x", { kind: "mostRecent" })).revision).toBe(made.revision);
    });

    test("to the same bytes writes nothing", async () => {
      const g = ground();
      const created = await g.create("a/x", "1");
      const before = await g.elsewhere();
      expect(await g.set("a/x", "1")).toBe(created);
      expect(await g.store.currentRevision()).toBe(before);
    });

    test("runs again when another write came first, and loses neither", async () => {
      const g = ground();
      await g.create("a/x", "");
      let interfered = false;
      let runs = 0;
      const stored = await changeObject(g.store, "a/x", async (current) => {
        runs++;
        const seen = current?.decode() ?? testObject("a/x", "");
        if (!interfered) {
          interfered = true;
          await g.set("a/x", "other");
        }
        return { object: { ...seen, value: `${seen.value}+mine` } };
      });
      expect(runs).toBe(2);
      expect(stored.decode().value).toBe("other+mine");
    });

    test("of what is deleted meanwhile is KeyNotFound", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const update = changeObject(g.store, "a/x", async (current) => {
        if (current !== undefined) await g.delete("a/x").catch(() => undefined);
        return { object: testObject("a/x", "2") };
      });
      await expect(update).rejects.toMatchObject({ code: "KeyNotFound" });
    });

    test("of what is made meanwhile sees it", async () => {
      const g = ground();
      const seen: (string | undefined)[] = [];
      const stored = await changeObject(
        g.store,
        "a/x",
        async (current) => {
          seen.push(current?.decode().value);
          if (current === undefined) await g.create("a/x", "theirs");
          return { object: testObject("a/x", "mine") };
        },
        { createIfMissing: true },
      );
      expect(seen).toEqual([undefined, "theirs"]);
      expect(stored.decode().value).toBe("mine");
    });

    test("is given up with the error of the change", async () => {
      const g = ground();
      const created = await g.create("a/x", "1");
      const refusal = new StorageError("PreconditionFailed", "no");
      const update = changeObject(g.store, "a/x", () => {
        throw refusal;
      });
      await expect(update).rejects.toBe(refusal);
      expect((await g.store.get("a/x", { kind: "mostRecent" })).revision).toBe(created);
    });

    test("many concurrent ones all take effect", async () => {
      const g = ground();
      await g.create("a/x", "0");
      const increment = (): Promise<unknown> =>
        changeObject(g.store, "a/x", (current) => {
          const object = current?.decode() ?? testObject("a/x", "0");
          object.value = String(Number(object.value) + 1);
          return { object };
        });
      await Promise.all(Array.from({ length: 12 }, increment));
      expect((await g.store.get("a/x", { kind: "mostRecent" })).decode().value).toBe("12");
    });
  });

  describe("delete", () => {
    test("gives the last state at the revision of the deletion", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const updated = await g.set("a/x", "2");
      const last = await removeObject(g.store, "a/x", () => undefined);
      expect(last.revision).toBeGreaterThan(updated);
      expect(last.decode()).toMatchObject({
        value: "2",
        metadata: { resourceVersion: String(last.revision) },
      });
      await expect(g.delete("a/x")).rejects.toMatchObject({ code: "KeyNotFound" });
    });

    test("checks the newest state, again when it changes, and keeps the object when the check throws", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const seen: string[] = [];
      const refusal = new StorageError("PreconditionFailed", "kept");
      const deletion = removeObject(g.store, "a/x", async (current) => {
        seen.push(current.decode().value);
        if (seen.length === 1) await g.set("a/x", "2");
        else throw refusal;
      });
      await expect(deletion).rejects.toBe(refusal);
      expect(seen).toEqual(["1", "2"]);
      expect((await g.store.get("a/x", { kind: "mostRecent" })).decode().value).toBe("2");
    });
  });
}

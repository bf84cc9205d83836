import { describe, expect, test } from "vitest";
import { toRevision } from "../kv.js";
import { describeEvent, type KvGround } from "./kv-ground.js";

export function describeHistory(ground: () => KvGround): void {
  describe("compaction", () => {
    test("forgets history below its revision, and keeps the state there", async () => {
      await ground().put("a", "1");
      await ground().put("b", "1");
      await ground().put("a", "2");
      const kept = await ground().delete("b");
      await ground().put("a", "3");
      await ground().store.compact(kept);

      await expect(ground().contents(toRevision(kept - 1))).rejects.toMatchObject({
        name: "StorageError",
        code: "Compacted",
      });
      expect(await ground().contents(kept)).toEqual({ a: "2" });
      expect(await ground().contents()).toEqual({ a: "3" });
    });

    test("ends watches that start below it", async () => {
      const first = await ground().put("a", "1");
      await ground().put("a", "2");
      const kept = await ground().put("a", "3");
      const last = await ground().put("a", "4");
      await ground().store.compact(kept);

      const watch = ground().watch({ startRevision: first });
      await expect(watch.next()).rejects.toMatchObject({ name: "StorageError", code: "Compacted" });
      const events = await ground().history(toRevision(kept + 1), last);
      expect(events.map((event) => describeEvent(ground(), event))).toEqual(["put a=4 (was 3)"]);
    });

    test("keeps the values of keys that nobody changed since long ago", async () => {
      await ground().put("old", "kept");
      for (let round = 0; round < 5; round++) {
        const revision = await ground().put("busy", String(round));
        await ground().store.compact(revision);
      }
      await ground().put("old", "changed");
      const revision = await ground().put("busy", "5");
      await ground().store.compact(revision);
      expect(await ground().contents()).toEqual({ old: "changed", busy: "5" });
      expect(await ground().contents(revision)).toEqual({ old: "changed", busy: "5" });
    });

    test("does not disturb versions, nor a watch that is up to date", async () => {
      const created = await ground().put("a", "1");
      await ground().put("a", "2");
      const watch = ground().watch();
      const third = await ground().put("a", "3");
      expect((await watch.nextEvents()).revision).toBe(third);
      await ground().store.compact(third);
      expect(await ground().get("a")).toMatchObject({ createRevision: created, version: 3 });
      const fourth = await ground().put("a", "4");
      const batch = await watch.nextEvents();
      expect(batch.revision).toBe(fourth);
      expect(batch.events.map((event) => describeEvent(ground(), event))).toEqual(["put a=4 (was 3)"]);
    });

    test("cannot go back, nor ahead of the store", async () => {
      const first = await ground().put("a", "1");
      const second = await ground().put("a", "2");
      await ground().store.compact(second);
      for (const revision of [first, second]) {
        await expect(ground().store.compact(revision)).rejects.toMatchObject({ code: "Compacted" });
      }
      await expect(ground().store.compact(toRevision(second + 1))).rejects.toMatchObject({
        code: "FutureRevision",
      });
    });

    test("shows in the status", async () => {
      await ground().put("a", "1");
      const revision = await ground().put("a", "2");
      await ground().store.compact(revision);
      expect((await ground().store.status()).compactedRevision).toBe(revision);
    });

    test("survives reopening", async ({ skip }) => {
      if (ground().subject.reopen === undefined) skip("nothing to open again");
      const first = await ground().put("a", "1");
      const second = await ground().put("a", "2");
      await ground().put("a", "3");
      await ground().store.compact(second);
      await ground().reopen();
      await expect(ground().contents(first)).rejects.toMatchObject({ code: "Compacted" });
      expect(await ground().contents(second)).toEqual({ a: "2" });
    });
  });
}

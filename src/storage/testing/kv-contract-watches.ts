import { describe, expect, test } from "vitest";
import { type KvEvent, toRevision } from "../kv.js";
import { describeEvent, type KvGround, toText } from "./kv-ground.js";

export function describeWatches(ground: () => KvGround): void {
  const told = (events: readonly KvEvent[]): string[] =>
    events.map((event) => describeEvent(ground(), event));

  describe("watches", () => {
    test("from now on deliver what comes after they were made", async () => {
      await ground().put("a", "before");
      const watch = ground().watch();
      const first = await ground().put("a", "after");
      const second = await ground().put("b", "1");
      expect(await watch.nextEvents()).toMatchObject({ revision: first });
      expect(await watch.nextEvents()).toMatchObject({ revision: second });
    });

    test("from the past deliver history, then go on", async () => {
      const first = await ground().put("a", "1");
      await ground().put("a", "2");
      await ground().delete("a");
      const watch = ground().watch({ startRevision: first });
      expect(told(await watch.until(toRevision(first + 2)))).toEqual([
        "put a=1",
        "put a=2 (was 1)",
        "delete a (was 2)",
      ]);
      const next = await ground().put("a", "3");
      expect(told(await watch.until(next))).toEqual(["put a=3"]);
    });

    test("from the middle of history start there, inclusive", async () => {
      await ground().put("a", "1");
      const second = await ground().put("a", "2");
      const third = await ground().put("b", "3");
      expect(told(await ground().history(second, third))).toEqual(["put a=2 (was 1)", "put b=3"]);
      expect(told(await ground().history(third, third))).toEqual(["put b=3"]);
    });

    test("from the future wait for it", async () => {
      const now = await ground().put("a", "1");
      const watch = ground().watch({ startRevision: toRevision(now + 3) });
      await ground().put("a", "2");
      await ground().put("a", "3");
      await ground().put("a", "4");
      expect(told((await watch.nextEvents()).events)).toEqual(["put a=4 (was 3)"]);
    });

    test("deliver the events of a revision in one batch, in the order of the operations", async () => {
      await ground().put("z", "old");
      const before = await ground().store.currentRevision();
      const live = ground().watch();
      const { revision } = await ground().transact(
        ground().putOperation("c", "1"),
        ground().putOperation("a", "2"),
        ground().deleteOperation("z"),
        ground().putOperation("b", "3"),
      );
      const after = await ground().put("d", "4");
      const expected = ["put c=1", "put a=2", "delete z (was old)", "put b=3"];
      const past = ground().watch({ startRevision: toRevision(before + 1) });
      for (const watch of [live, past]) {
        const batch = await watch.nextEvents();
        expect(batch.revision).toBe(revision);
        expect(told(batch.events)).toEqual(expected);
        expect(await watch.nextEvents()).toMatchObject({ revision: after });
      }
    });

    test("events carry the whole state before and after", async () => {
      const lease = await ground().store.grantLease(1000);
      const first = await ground().put("a", "1");
      const second = await ground().put("a", "2", lease);
      const third = await ground().delete("a");
      const events = await ground().history(first, third);
      const key = ground().key("a");
      const state1 = { key, createRevision: first, modRevision: first, version: 1, lease: 0n };
      const state2 = { key, createRevision: first, modRevision: second, version: 2, lease };
      expect(events).toMatchObject([
        { type: "put", kv: state1 },
        { type: "put", kv: state2, previous: state1 },
        { type: "delete", kv: { key, modRevision: third }, previous: state2 },
      ]);
      expect(events[0]?.previous).toBeUndefined();
      expect(events.map((event) => toText(event.kv.value))).toEqual(["1", "2", ""]);
      expect(events.slice(1).map((event) => toText(event.previous?.value ?? new Uint8Array()))).toEqual([
        "1",
        "2",
      ]);
    });

    test("keep to their range", async () => {
      const one = ground().watch({ start: ground().key("a"), end: undefined });
      const some = ground().watch(ground().under("a/"));
      for (const name of ["a", "a/1", "a0", "b", "a/2", "a"]) await ground().put(name, name);
      const last = await ground().transact(
        ground().putOperation("a", "end"),
        ground().putOperation("a/", "end"),
        ground().putOperation("b", "end"),
      );
      expect(told(await one.until(last.revision))).toEqual([
        "put a=a",
        "put a=a (was a)",
        "put a=end (was a)",
      ]);
      expect(told(await some.until(last.revision))).toEqual(["put a/1=a/1", "put a/2=a/2", "put a/=end"]);
    });

    test("deliver a key deleted and written again as two events", async () => {
      const first = await ground().put("a", "1");
      await ground().delete("a");
      const last = await ground().put("a", "2");
      expect(told(await ground().history(first, last))).toEqual(["put a=1", "delete a (was 1)", "put a=2"]);
    });

    test("tell their progress when asked, after everything up to it", async () => {
      const idle = ground().watch(ground().under("idle"));
      const busy = ground().watch(ground().under("busy"));
      const puts = await Promise.all(
        Array.from({ length: 50 }, (_, index) => ground().put(`busy/${index}`, "1")),
      );
      const revision = await ground().store.currentRevision();
      expect(revision).toBe(Math.max(...puts));
      await ground().store.requestProgress();
      expect(await idle.until(revision)).toEqual([]);

      const seen = await busy.until(revision);
      expect(seen.map((event) => event.kv.modRevision)).toEqual([...puts].sort((a, b) => a - b));
      await ground().store.requestProgress();
      const next = await busy.next();
      expect(next.kind).toBe("progress");
      expect(next.revision).toBeGreaterThanOrEqual(revision);
    });

    test("progress never goes ahead of an event", async () => {
      const watch = ground().watch();
      const writing = Promise.all(
        Array.from({ length: 300 }, async (_, index) => {
          const revision = await ground().put(`key/${index % 7}`, String(index));
          if (index % 10 === 0) await ground().store.requestProgress();
          return revision;
        }),
      );
      const last = toRevision(Math.max(...(await writing)));
      await ground().store.requestProgress();
      let events = 0;
      let told = 0;
      let progressed = 0;
      while (told < last && progressed < last) {
        const batch = await watch.next();
        expect(batch.revision).toBeGreaterThanOrEqual(progressed);
        if (batch.kind === "progress") {
          progressed = batch.revision;
          continue;
        }
        expect(batch.revision).toBeGreaterThan(Math.max(told, progressed));
        told = batch.revision;
        events += batch.events.length;
      }
      expect(events).toBe(300);
    });

    test("end quietly when aborted", async () => {
      const watch = ground().watch();
      await ground().put("a", "1");
      await watch.nextEvents();
      await watch.stop();

      const waiting = ground().watch();
      const next = waiting.next();
      next.catch(() => undefined);
      await waiting.stop();
      await expect(next).rejects.toThrow("the watch ended");

      const batches: unknown[] = [];
      for await (const batch of ground().store.watch(ground().all(), AbortSignal.abort()))
        batches.push(batch);
      expect(batches).toEqual([]);
    });

    test("one that nobody reads delays nobody, and misses nothing", async () => {
      const first = await ground().put("a", "0");
      const unread = ground().watch({ startRevision: first });
      const other = ground().watch({ startRevision: first });
      let last = first;
      for (let round = 1; round <= 20; round++) {
        const puts = Array.from({ length: 100 }, (_, index) => ground().put(`${index}`, Buffer.alloc(5000)));
        last = toRevision(Math.max(...(await Promise.all(puts))));
        expect((await other.until(last)).length).toBeGreaterThanOrEqual(100);
      }
      await unread.stop();
      const events = await ground().history(first, last);
      expect(events.map((event) => event.kv.modRevision)).toEqual(
        Array.from({ length: 2001 }, (_, index) => first + index),
      );
    });
  });
}

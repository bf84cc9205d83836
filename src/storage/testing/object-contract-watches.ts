import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { toRevision } from "../kv.js";
import type { ObjectAttributes } from "../object-store.js";
import type { ObjectGround } from "./object-ground.js";
import { RecordedSink, settle } from "./recorded-sink.js";

const red = ({ labels }: ObjectAttributes): boolean => labels.team === "red";

export function describeObjectWatches(ground: () => ObjectGround): void {
  describe("watch", () => {
    test("from a version gives every change after it, in order", async () => {
      const g = ground();
      const first = await g.create("a/x", "1");
      const second = await g.set("a/x", "2");
      const sink = await g.watchAfter(first);
      const third = await g.create("b/y", "1");
      const fourth = await g.delete("a/x");
      await sink.untilCount(3);
      expect(sink.shown()).toEqual([
        `MODIFIED a/x=2@${second}`,
        `ADDED b/y=1@${third}`,
        `DELETED a/x=2@${fourth}`,
      ]);
      expect(sink.received.map(({ revision }) => revision)).toEqual([second, third, fourth]);
    });

    test("from the newest version gives changes only", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const sink = await g.watchAfter(0);
      const second = await g.set("a/x", "2");
      await sink.untilCount(1);
      expect(sink.shown()).toEqual([`MODIFIED a/x=2@${second}`]);
    });

    test.each(["mostRecent", "any"] as const)(
      "with the state at %s begins with what is there",
      async (kind) => {
        const g = ground();
        const first = await g.create("b/x", "1");
        const second = await g.create("a/x", "1");
        await g.create("a/y", "1");
        await g.delete("a/y");
        await g.list();
        const sink = await g.watch({ start: { kind: "state", at: { kind } } });
        const third = await g.set("b/x", "2");
        await sink.untilCount(3);
        expect(sink.shown()).toEqual([
          `ADDED a/x=1@${second}`,
          `ADDED b/x=1@${first}`,
          `MODIFIED b/x=2@${third}`,
        ]);
      },
    );

    test("the state and the changes after it fit together while writes go on", async () => {
      const g = ground();
      for (let number = 0; number < 30; number++) await g.create(`n/${number}`, "0");
      const sinks: RecordedSink[] = [];
      const writes = (async () => {
        for (let round = 1; round <= 10; round++) {
          for (let number = 0; number < 30; number += 7) await g.set(`n/${number}`, String(round));
        }
      })();
      for (let number = 0; number < 10; number++) {
        sinks.push(await g.watch());
        await setImmediate();
      }
      await writes;
      const expected = (await g.list()).items.map((item) => [item.key, item.decode().value]);
      const last = await g.set("n/29", "last");
      for (const sink of sinks) {
        await sink.until(({ received }) => received.at(-1)?.revision === last);
        const state = new Map<string, string>();
        let newest = 0;
        for (const event of sink.received.slice(0, -1)) {
          if (event.type === "BOOKMARK") throw new Error("no bookmarks were asked for");
          const isNew = !state.has(event.object.key);
          expect(event.type).toBe(isNew ? "ADDED" : "MODIFIED");
          if (!isNew) {
            expect(event.revision).toBeGreaterThan(newest);
            newest = event.revision;
          }
          state.set(event.object.key, event.object.decode().value);
        }
        expect([...state].sort()).toEqual(expected.sort());
      }
    });

    test("an object that moves into the selection is ADDED, one that leaves it DELETED with its last selected state", async () => {
      const g = ground();
      const sink = await g.watch({ matches: red });
      await g.create("a/x", "1", { team: "blue" });
      const entered = await g.set("a/x", "2", { team: "red" });
      const changed = await g.set("a/x", "3", { team: "red" });
      const left = await g.set("a/x", "4", { team: "blue" });
      await g.set("a/x", "5", { team: "blue" });
      await g.delete("a/x");
      const again = await g.create("a/x", "6", { team: "red" });
      const deleted = await g.delete("a/x");
      await sink.untilCount(5);
      expect(sink.shown()).toEqual([
        `ADDED a/x=2@${entered}`,
        `MODIFIED a/x=3@${changed}`,
        `DELETED a/x=3@${left}`,
        `ADDED a/x=6@${again}`,
        `DELETED a/x=6@${deleted}`,
      ]);
    });

    test("a hint to a field's value changes nothing in what is seen", async () => {
      const g = ground();
      const first = await g.create("a/x", "1", { team: "red" });
      const hinted = {
        matches: (attributes: ObjectAttributes) =>
          attributes.fields["metadata.name"] === "x" && red(attributes),
        fieldEquals: { field: "metadata.name", value: "x" },
      };
      const everywhere = await g.watch(hinted);
      const inOne = await g.watch({ ...hinted, prefix: "b/" });
      await g.create("a/y", "1", { team: "red" });
      const second = await g.create("b/x", "1", { team: "red" });
      const third = await g.set("a/x", "2", { team: "blue" });
      const fourth = await g.delete("b/x");
      await everywhere.untilCount(4);
      expect(everywhere.shown()).toEqual([
        `ADDED a/x=1@${first}`,
        `ADDED b/x=1@${second}`,
        `DELETED a/x=1@${third}`,
        `DELETED b/x=1@${fourth}`,
      ]);
      await inOne.untilCount(2);
      expect(inOne.shown()).toEqual([`ADDED b/x=1@${second}`, `DELETED b/x=1@${fourth}`]);
    });

    test("keeps to a namespace and to a key", async () => {
      const g = ground();
      const before = await g.create("a/x", "1");
      const namespace = await g.watch({ prefix: "a/" });
      const key = await g.watch({ prefix: "a/", key: "a/y" });
      const keyAfter = await g.watchAfter(before, { prefix: "a/", key: "a/y" });
      await g.create("aa/x", "1");
      await g.create("b/x", "1");
      const other = await g.create("a/y", "1");
      const last = await g.set("a/x", "2");
      await namespace.untilCount(3);
      expect(namespace.shown()).toEqual([
        `ADDED a/x=1@${before}`,
        `ADDED a/y=1@${other}`,
        `MODIFIED a/x=2@${last}`,
      ]);
      await settle();
      for (const sink of [key, keyAfter]) {
        await sink.untilCount(1);
        expect(sink.shown()).toEqual([`ADDED a/y=1@${other}`]);
      }
    });

    test("from compacted history rejects with Compacted", async () => {
      const g = ground();
      const first = await g.create("a/x", "1");
      await g.set("a/x", "2");
      // Old enough to be dropped from memory too.
      await g.advance(200_000);
      for (let number = 0; number < 300; number++) await g.set("a/x", `later ${number}`);
      await g.subject.kv.compact(await g.store.currentRevision());
      const sink = new RecordedSink();
      const start = { kind: "exact", revision: toRevision(first - 1) } as const;
      await expect(g.watch({ start }, sink)).rejects.toMatchObject({
        code: "Compacted",
        message: expect.stringMatching(
          /^too old resource version: \d+ \(\d+\)$|for the provided watch is too old\.$/,
        ),
      });
      await settle();
      expect([sink.received, sink.ended]).toEqual([[], undefined]);
    });

    test("from history that memory has let go of is replayed from the store", async () => {
      const g = ground();
      const first = await g.create("a/x", "0");
      for (let number = 1; number <= 150; number++) await g.set("a/x", String(number));
      await g.advance(200_000);
      for (let number = 151; number <= 400; number++) await g.set("a/x", String(number));
      const sink = await g.watchAfter(first);
      await sink.untilCount(400);
      await g.set("a/x", "401");
      await sink.untilCount(401);
      expect(sink.shown()).toEqual(
        Array.from({ length: 401 }, (_, index) => `MODIFIED a/x=${index + 1}@${first + index + 1}`),
      );
    });

    test("from a version that is still to come begins after it", async () => {
      const g = ground();
      const first = await g.create("a/x", "1");
      const sink = await g.watchAfter(first + 2);
      await g.set("a/x", "2");
      await g.set("a/x", "3");
      const fourth = await g.set("a/x", "4");
      await sink.untilCount(1);
      expect(sink.shown()).toEqual([`MODIFIED a/x=4@${fourth}`]);
    });

    test("a stopped watch is silent", async () => {
      const g = ground();
      await g.create("a/x", "1");
      const sink = await g.watch();
      sink.handle.stop();
      sink.handle.stop();
      await g.set("a/x", "2");
      await settle();
      await g.advance(1000);
      expect(sink.received).toEqual([]);
      expect(sink.ended).toBeUndefined();
    });

    test("may be stopped from within a delivery", async () => {
      const g = ground();
      const sink = new RecordedSink();
      const { handle } = await g.watch({}, sink);
      const deliver = sink.events.bind(sink);
      sink.events = (batch) => {
        deliver(batch);
        handle.stop();
      };
      await g.create("a/x", "1");
      await sink.untilCount(1);
      await g.set("a/x", "2");
      await settle();
      expect(sink.received).toHaveLength(1);
    });

    test("a sink that is not ready gets everything later, in order", async () => {
      const g = ground();
      for (let number = 0; number < 10; number++) await g.create(`a/${number}`);
      let open: () => void = () => undefined;
      const sink = new RecordedSink();
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      let isOpen = false;
      Object.assign(sink, { ready: () => (isOpen ? undefined : gate) });
      await g.watch({}, sink);
      await g.set("a/3", "2");
      await settle();
      expect(sink.received).toEqual([]);
      isOpen = true;
      open();
      await sink.untilCount(11);
      const last = await g.set("a/3", "3");
      await sink.untilCount(12);
      expect(sink.shown().slice(10)).toEqual([`MODIFIED a/3=2@${last - 1}`, `MODIFIED a/3=3@${last}`]);
    });

    test("watchers that see the same are given the same event objects, where that is promised", async () => {
      const g = ground();
      if (!g.subject.sharesEvents) return;
      const sinks = [await g.watch(), await g.watch({ prefix: "a/" }), await g.watch({ matches: red })];
      await g.create("a/x", "1", { team: "red" });
      await g.set("a/x", "2", { team: "red" });
      await g.delete("a/x");
      for (const sink of sinks) await sink.untilCount(3);
      for (const index of [0, 1, 2]) {
        expect(new Set(sinks.map(({ received }) => received[index])).size).toBe(1);
      }
    });
  });

  describe("bookmarks", () => {
    test("tell after about a minute how far the watch is, and never more than that", async () => {
      const g = ground();
      const revision = await g.create("a/x", "1");
      const sink = await g.watchAfter(revision, { bookmarks: true, prefix: "b/" });
      await g.set("a/x", "2");
      const newest = await g.elsewhere();
      await settle();
      for (let second = 0; second < 80; second++) await g.advance(1000);
      await sink.untilCount(1);
      expect(sink.shown()).toEqual([`BOOKMARK@${newest}`]);
      // Nothing happened since.
      for (let second = 0; second < 80; second++) await g.advance(1000);
      await settle();
      expect(sink.received).toHaveLength(1);
    });

    test("come before the deadline", async () => {
      const g = ground();
      const revision = await g.create("a/x", "1");
      const deadline = g.subject.clock.now() + 10_000;
      const sink = await g.watchAfter(revision, { bookmarks: true, deadline });
      const newest = await g.elsewhere();
      await settle();
      for (let second = 0; second < 6; second++) await g.advance(1000);
      await settle();
      expect(sink.received).toEqual([]);
      for (let second = 0; second < 3; second++) await g.advance(1000);
      await sink.untilCount(1);
      expect(sink.shown()).toEqual([`BOOKMARK@${newest}`]);
    });

    test("tell who began with the state of which revision that was", async () => {
      const g = ground();
      const created = await g.create("a/x", "1");
      const newest = await g.elsewhere();
      const deadline = g.subject.clock.now() + 5000;
      const sink = await g.watch({ bookmarks: true, deadline });
      for (let second = 0; second < 5; second++) await g.advance(1000);
      await sink.untilCount(2);
      expect(sink.shown()).toEqual([`ADDED a/x=1@${created}`, `BOOKMARK@${newest}`]);
    });

    test("are not sent to who did not ask", async () => {
      const g = ground();
      const revision = await g.create("a/x", "1");
      const sink = await g.watchAfter(revision);
      await g.elsewhere();
      for (let second = 0; second < 90; second++) await g.advance(1000);
      await settle();
      expect(sink.received).toEqual([]);
    });

    test("mark the end of the state when asked for", async () => {
      const g = ground();
      const first = await g.create("a/x", "1");
      const newest = await g.elsewhere();
      const sink = await g.watch({ bookmarks: true, bookmarkAfterState: true });
      await sink.untilCount(2);
      const changed = await g.set("a/x", "2");
      await sink.untilCount(3);
      expect(sink.shown()).toEqual([
        `ADDED a/x=1@${first}`,
        `BOOKMARK@${newest} end of state`,
        `MODIFIED a/x=2@${changed}`,
      ]);
    });
  });
}

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { type KvEvent, toRevision } from "../kv.js";
import type { CacheFeed, FeedTarget } from "./cache-feed.js";
import type { Collection } from "./inherited-collections.js";
import { Reflector } from "./reflector.js";
import { SortedIndex } from "./sorted-index.js";

type Read = PromiseWithResolvers<Collection<object>>;
interface PromiseWithResolvers<V> {
  resolve(value: V): void;
  reject(error: Error): void;
}

/** A reflector whose reads the test answers, and the target that its feed was given last. */
function reflectorUnderTest() {
  const clock = new ManualClock();
  const log: string[] = [];
  const reads: Read[] = [];
  let reached = 0;
  let target: FeedTarget | undefined;
  const feed: Pick<CacheFeed, "subscribe"> = {
    subscribe: (_prefix, given) => {
      target = given;
      return {
        start: (revision) => log.push(`follows from ${revision}`),
        stop: () => log.push("stops"),
        reached: () => toRevision(reached),
        setAwaited: () => undefined,
      };
    },
  };
  const reflector = new Reflector<object>({
    feed,
    prefix: "/things/",
    read: () => new Promise((resolve, reject) => reads.push({ resolve, reject })),
    decode: () => [],
    clock,
    random: () => 0.5,
    observer: undefined,
    target: {
      replace: ({ revision }) => log.push(`holds ${revision}`),
      apply: (_events, _objects, revision) => log.push(`applies ${revision}`),
      progressed: () => log.push("progresses"),
      lost: (error) => log.push(`lost: ${String(error)}`),
    },
  });
  const apply = (revision: number): void => {
    reached = revision;
    target?.apply([] as readonly KvEvent[], toRevision(revision));
  };
  const lose = (): void => target?.lost("compacted");
  return { clock, log, reads, reflector, apply, lose };
}

const turn = () => setImmediate();
const collectionAt = (revision: number): Collection<object> => ({
  index: SortedIndex.empty(),
  revision: toRevision(revision),
});

test("reads once, then follows the events", async () => {
  const { log, reads, reflector, apply } = reflectorUnderTest();
  expect(reflector.state).toBe("idle");
  const ready = [reflector.ready(), reflector.ready()];
  expect(reflector.state).toBe("loading");
  reads[0]?.resolve(collectionAt(3));
  await Promise.all(ready);
  expect(reflector.state).toBe("live");
  apply(5);
  expect(reads).toHaveLength(1);
  expect(log).toEqual(["holds 3", "follows from 3", "applies 5"]);
  expect([reflector.applied, reflector.progress()]).toEqual([5, 5]);
});

test("a read that fails is repeated after a pause, and those who wait for the attempt alone are let go", async () => {
  const { clock, log, reads, reflector } = reflectorUnderTest();
  void reflector.ready();
  const attempted = reflector.attempted();
  reads[0]?.reject(new Error("unavailable"));
  await attempted;
  await turn();
  expect(reads).toHaveLength(1);
  await clock.advance(250);
  await turn();
  reads[1]?.resolve(collectionAt(4));
  await reflector.ready();
  expect(log).toEqual(["stops", "holds 4", "follows from 4"]);
});

test("events that are missing are told, and the collection is read again", async () => {
  const { log, reads, reflector, lose } = reflectorUnderTest();
  void reflector.ready();
  reads[0]?.resolve(collectionAt(1));
  await reflector.ready();
  lose();
  expect(reflector.state).toBe("loading");
  reads[1]?.resolve(collectionAt(9));
  await reflector.ready();
  expect(log.slice(2)).toEqual(["stops", "lost: compacted", "holds 9", "follows from 9"]);
});

test("a collection that arrives after the stop is dropped", async () => {
  const { log, reads, reflector } = reflectorUnderTest();
  const ready = reflector.ready();
  reflector.stop();
  reads[0]?.resolve(collectionAt(1));
  await ready;
  expect(reflector.state).toBe("stopped");
  expect(log.filter((line) => line.startsWith("holds"))).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { type KeyValueStore, toRevision } from "../kv.js";
import { StorageError } from "../storage-error.js";
import { MemoryStore } from "../testing/memory-store.js";
import { withoutLocalCommits } from "../testing/object-store-subjects.js";
import { RecordedSink, settle } from "../testing/recorded-sink.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { type Cacher, createCacher } from "./cacher.js";
import { createCacheFeed } from "./create-cache-feed.js";
import { FanOut } from "./fan-out.js";

const prefix = "/registry/things/";
const state = { kind: "state", at: { kind: "any" } } as const;

let clock: ManualClock;
let memory: MemoryStore;
let close: (() => void)[];

beforeEach(() => {
  clock = new ManualClock();
  memory = new MemoryStore({ now: () => clock.now() });
  close = [];
});

afterEach(() => {
  for (const each of close) each();
});

interface Opened {
  readonly cacher: Cacher<TestObject>;
  /** Collections that the cache has read. */
  readonly loads: number[];
}

function open(kv: KeyValueStore): Opened {
  const loads: number[] = [];
  const feed = createCacheFeed({ kv, root: "/registry/", clock, random: () => 0.5 });
  const cacher = createCacher({
    kv,
    prefix,
    codec: createTestCodec(),
    clock,
    random: () => 0.5,
    feed,
    fanOut: new FanOut(),
    windowEvents: 100,
    observer: { initialized: (objects) => void loads.push(objects) },
  });
  close.push(() => {
    cacher.stop();
    feed.close();
  });
  return { cacher, loads };
}

async function put(key: string, value: string): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(testObject(key, value)));
  const success = [{ kind: "put", key: prefix + key, value: bytes } as const];
  await memory.transact({ compare: [], success, failure: [] });
}

async function remove(key: string): Promise<void> {
  const success = [{ kind: "delete", range: { start: prefix + key } } as const];
  await memory.transact({ compare: [], success, failure: [] });
}

async function sleepingWatch({ cacher }: Opened) {
  const sink = new RecordedSink();
  const handle = await cacher.watch({ prefix: "", start: state, bookmarks: false, lazy: true }, sink);
  return { sink, handle };
}

describe.each(["commits", "watches"] as const)("a lazy watch fed by %s", (feed) => {
  const store = (): KeyValueStore => (feed === "commits" ? memory : withoutLocalCommits(memory));

  test("leaves an empty collection alone, and misses nothing afterwards", async () => {
    const opened = open(store());
    const { sink } = await sleepingWatch(opened);
    await memory.transact({
      compare: [],
      success: [{ kind: "put", key: "/registry/thingsandmore/a", value: Buffer.from("") }],
      failure: [],
    });
    await settle();
    expect(opened.loads).toEqual([]);
    // Gone before the cache can have read it.
    await Promise.all([put("a/x", "1"), remove("a/x"), put("a/y", "1")]);
    await sink.untilCount(3);
    expect(sink.shown()).toEqual(["ADDED a/x=1@3", "DELETED a/x=1@4", "ADDED a/y=1@5"]);
    expect(opened.loads).toHaveLength(1);
    await put("a/z", "1");
    await sink.untilCount(4);
  });

  test("begins at once where there are objects", async () => {
    await put("a/x", "1");
    const opened = open(store());
    const { sink } = await sleepingWatch(opened);
    await sink.untilCount(1);
    await put("a/y", "1");
    await sink.untilCount(2);
    expect(sink.shown()).toEqual(["ADDED a/x=1@2", "ADDED a/y=1@3"]);
  });

  test("begins when the cache is filled for others and an object comes", async () => {
    const opened = open(store());
    const { sink } = await sleepingWatch(opened);
    await opened.cacher.ready();
    await opened.cacher.create("a/x", testObject("a/x", "1"));
    await sink.untilCount(1);
    expect(sink.shown()).toEqual(["ADDED a/x=1@2"]);
  });

  test("gets nothing after it was stopped, and ends with the cache", async () => {
    const opened = open(store());
    const [stopped, ended] = [await sleepingWatch(opened), await sleepingWatch(opened)];
    stopped.handle.stop();
    opened.cacher.stop();
    expect(await ended.sink.untilEnded()).toBe(undefined);
    await put("a/x", "1");
    await settle();
    expect(stopped.sink.received).toEqual([]);
    expect(stopped.sink.ended).toBe(undefined);
    expect(opened.loads).toEqual([]);
  });
});

test("a lazy watch sees what was written while the store told nothing", async () => {
  const kv = withoutLocalCommits(memory);
  let lose: ((error: Error) => void) | undefined;
  const opened = open({
    ...kv,
    async *watch(request, signal) {
      // The watch of everything is the first; those of caches work.
      if (lose !== undefined) yield* kv.watch(request, signal);
      else
        await new Promise((_resolve, reject) => {
          lose = reject;
        });
    },
  });
  const { sink } = await sleepingWatch(opened);
  await settle();
  await put("a/x", "1");
  expect(sink.received).toEqual([]);
  lose?.(new StorageError("Compacted", "too old", { revision: toRevision(2) }));
  await settle();
  await clock.advance(1000);
  await sink.untilCount(1);
  expect(sink.shown()).toEqual(["ADDED a/x=1@2"]);
});

test("a lazy watch begins although the store did not answer at first", async () => {
  await put("a/x", "1");
  const kv = withoutLocalCommits(memory);
  let isDown = true;
  const opened = open({
    ...kv,
    async range(request) {
      if (isDown) throw new StorageError("Unavailable", "no answer");
      return await kv.range(request);
    },
    async currentRevision() {
      if (isDown) throw new StorageError("Unavailable", "no answer");
      return await kv.currentRevision();
    },
  });
  const { sink } = await sleepingWatch(opened);
  isDown = false;
  await settle();
  await clock.advance(1000);
  await sink.untilCount(1);
  expect(sink.shown()).toEqual(["ADDED a/x=1@2"]);
});

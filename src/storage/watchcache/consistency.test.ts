import { afterEach, beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { forwarding } from "../forwarding-store.js";
import { type KeyValueStore, noRevision } from "../kv.js";
import type { ListRequest } from "../object-store.js";
import { changeObject } from "../store/change-object.js";
import { MemoryStore } from "../testing/memory-store.js";
import { RecordedSink } from "../testing/recorded-sink.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import type { CacheFeed } from "./cache-feed.js";
import { type Cacher, type CacherOptions, createCacher } from "./cacher.js";
import { createCacheFeed } from "./create-cache-feed.js";
import { FanOut } from "./fan-out.js";

const prefix = "/registry/things/";
const all: ListRequest = { prefix: "", at: { kind: "mostRecent" }, limit: 0 };

let clock: ManualClock;
let memory: MemoryStore;
let told: string[];
/** Hides the last key from the check's listing. */
let isHiding: boolean;
let stops: (() => void)[];

beforeEach(() => {
  clock = new ManualClock();
  memory = new MemoryStore({ now: () => clock.now() });
  told = [];
  isHiding = false;
  stops = [];
});

afterEach(() => {
  for (const stop of stops) stop();
});

async function open(overrides: Partial<CacherOptions<TestObject>> = {}): Promise<Cacher<TestObject>> {
  const kv: KeyValueStore = {
    ...forwarding(memory),
    async range(request) {
      const result = await memory.range(request);
      return isHiding && request.keysOnly === true ? { ...result, kvs: result.kvs.slice(0, -1) } : result;
    },
  };
  const feed: CacheFeed = createCacheFeed({ kv, root: "/registry/", clock, random: () => 0 });
  const cacher = createCacher({
    kv,
    prefix,
    codec: createTestCodec(),
    clock,
    random: () => 0,
    feed,
    fanOut: new FanOut(),
    windowEvents: 100,
    observer: {
      consistentRead: (isOk, fromStore) => told.push(`read ${isOk} ${fromStore}`),
      compared: (outcome) => told.push(outcome),
      storeFallback: (verb) => told.push(`${verb} from the store`),
    },
    ...overrides,
  });
  stops.push(() => {
    cacher.stop();
    feed.close();
  });
  await cacher.ready();
  return cacher;
}

function set(cacher: Cacher<TestObject>, key: string, value: string): Promise<unknown> {
  return changeObject(cacher, key, () => ({ object: testObject(key, value) }), { createIfMissing: true });
}

test("lists of the most recent state are counted, and left to the store where that is wanted", async () => {
  const cacher = await open();
  await set(cacher, "a/x", "1");
  expect((await cacher.list(all)).items).toHaveLength(1);
  expect(told).toEqual(["read true false"]);
  await cacher.list({ ...all, at: { kind: "any" } });
  expect(told).toHaveLength(1);
  told.length = 0;
  const leaving = await open({ listsFromStore: true });
  expect((await leaving.list(all)).items).toHaveLength(1);
  await leaving.list({ ...all, at: { kind: "any" } });
  expect(told).toEqual(["list from the store"]);
});

test("a watch that begins with the most recent state is left to the store where that is wanted", async () => {
  const cacher = await open({ watchesFromStore: true });
  await set(cacher, "a/x", "1");
  const watch = async (start: "mostRecent" | "any"): Promise<readonly string[]> => {
    const sink = new RecordedSink();
    await cacher.watch({ prefix: "", start: { kind: "state", at: { kind: start } }, bookmarks: false }, sink);
    await sink.untilCount(1);
    return sink.shown();
  };
  const calls: string[] = [];
  const original = memory.watch.bind(memory);
  memory.watch = (...of) => {
    calls.push("watch");
    return original(...of);
  };
  expect(await watch("any")).toEqual(["ADDED a/x=1@2"]);
  expect(calls).toEqual([]);
  expect(await watch("mostRecent")).toEqual(["ADDED a/x=1@2"]);
  await expect.poll(() => calls).toEqual(["watch"]);
});

test("a cache is compared with the store every five minutes; while they differ, the store answers for former states", async () => {
  const cacher = await open({ isCompared: true });
  await set(cacher, "a/x", "1");
  await set(cacher, "a/y", "1");
  const { revision } = await cacher.list({ ...all, at: { kind: "any" } });
  const passing = async (outcome: string) => {
    told.length = 0;
    await clock.advance(5 * 60_000);
    await expect.poll(() => told).toContain(outcome);
  };
  await passing("success");
  const former = () => cacher.list({ ...all, at: { kind: "exact", revision } });
  expect((await former()).items).toHaveLength(2);
  expect(told).toEqual(["success"]);

  isHiding = true;
  await passing("failure");
  expect((await former()).items).toHaveLength(2);
  expect(told).toEqual(["failure", "list from the store"]);
  expect((await cacher.list(all)).items).toHaveLength(2);

  isHiding = false;
  await passing("success");
  await former();
  expect(told).toEqual(["success"]);
  expect(revision).toBeGreaterThan(noRevision);
});

test("nothing is compared unless it is wanted", async () => {
  await open();
  await clock.advance(60 * 60_000);
  expect(told).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { type KeyValueStore, toRevision, type WatchBatch } from "../kv.js";
import type { ReadVersion } from "../object-store.js";
import { StorageError } from "../storage-error.js";
import { changeObject, removeObject } from "../store/change-object.js";
import { MemoryStore } from "../testing/memory-store.js";
import { withoutLocalCommits } from "../testing/object-store-subjects.js";
import { RecordedSink, settle } from "../testing/recorded-sink.js";
import { type CodecCounts, createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import type { ValueTransformer } from "../transform/value-transformer.js";
import type { CacheFeed } from "./cache-feed.js";
import { type Cacher, type CacherOptions, createCacher } from "./cacher.js";
import { createCacheFeed } from "./create-cache-feed.js";
import { FanOut } from "./fan-out.js";

const prefix = "/registry/things/";
const mostRecent: ReadVersion = { kind: "mostRecent" };

let clock: ManualClock;
let calls: string[];
let memory: MemoryStore;
let counts: CodecCounts;
let opened: { readonly cacher: Cacher<TestObject>; readonly feed: CacheFeed }[];

beforeEach(() => {
  clock = new ManualClock();
  calls = [];
  memory = new MemoryStore({ now: () => clock.now(), intercept: (operation) => void calls.push(operation) });
  counts = { decoded: 0, encoded: 0 };
  opened = [];
});

afterEach(() => {
  for (const { cacher, feed } of opened) {
    cacher.stop();
    feed.close();
  }
});

function open(kv: KeyValueStore, overrides: Partial<CacherOptions<TestObject>> = {}): Cacher<TestObject> {
  const feed = createCacheFeed({ kv, root: "/registry/", clock, random: () => 0.5 });
  const cacher = createCacher({
    kv,
    prefix,
    codec: createTestCodec(counts),
    clock,
    random: () => 0.5,
    feed,
    fanOut: new FanOut(),
    windowEvents: 100,
    ...overrides,
  });
  opened.push({ cacher, feed });
  return cacher;
}

async function put(key: string, text: string): Promise<void> {
  const value = Buffer.from(text);
  await memory.transact({ compare: [], success: [{ kind: "put", key: prefix + key, value }], failure: [] });
}

function set(cacher: Cacher<TestObject>, key: string, value: string): Promise<unknown> {
  return changeObject(cacher, key, () => ({ object: testObject(key, value) }), { createIfMissing: true });
}

async function watchFrom(
  cacher: Cacher<TestObject>,
  revision: number,
  sink = new RecordedSink(),
): Promise<RecordedSink> {
  const start = { kind: "exact", revision: toRevision(revision) } as const;
  await cacher.watch({ prefix: "", start, bookmarks: false }, sink);
  return sink;
}

describe("large objects are handed over a few at a time", () => {
  const large = "x".repeat(50_000);
  const count = 20;

  async function filled(): Promise<Cacher<TestObject>> {
    const cacher = open(memory);
    await cacher.ready();
    for (let index = 0; index < count; index++) await set(cacher, `a/${index}`, large);
    return cacher;
  }

  function expectFew(sink: RecordedSink): void {
    expect(Math.max(...sink.batches.map((batch) => batch.length))).toBe(3);
    const names = sink.received.map((event) => event.type !== "BOOKMARK" && event.object.key);
    expect(new Set(names).size).toBe(count);
    expect(names).toHaveLength(count);
  }

  test("the state", async () => {
    const cacher = await filled();
    const sink = new RecordedSink();
    await cacher.watch({ prefix: "", start: { kind: "state", at: mostRecent }, bookmarks: false }, sink);
    await sink.untilCount(count);
    expectFew(sink);
  });

  test("recent events", async () => {
    const cacher = await filled();
    const sink = await watchFrom(cacher, 1);
    await sink.untilCount(count);
    expectFew(sink);
  });

  test.each(["", "a/"])("events of a watcher of %j that was behind", async (prefix) => {
    let proceed: () => void = () => undefined;
    let waiting: Promise<void> | undefined = new Promise((resolve) => {
      proceed = resolve;
    });
    const sink = Object.assign(new RecordedSink(), { ready: () => waiting });
    const cacher = open(memory);
    await cacher.ready();
    const start = { kind: "exact", revision: toRevision(0) } as const;
    const matches = prefix === "" ? {} : { matches: () => true };
    await cacher.watch({ prefix, start, bookmarks: false, ...matches }, sink);
    for (let index = 0; index < count; index++) await set(cacher, `a/${index}`, large);
    await settle();
    expect(sink.received).toEqual([]);
    waiting = undefined;
    proceed();
    await sink.untilCount(count);
    expectFew(sink);
  });
});

test("a get need not wait for what the cache has", async () => {
  const cacher = open(memory);
  await put("a/x", JSON.stringify(testObject("a/x", "1")));
  expect(cacher.get("a/x", mostRecent)).toBeInstanceOf(Promise);
  await cacher.ready();
  expect(cacher.get("a/x", mostRecent)).toMatchObject({ key: "a/x" });
  await expect(cacher.get("a/y", mostRecent)).rejects.toMatchObject({ code: "KeyNotFound" });
});

test("a quiet cache forgets the events of busy times", async () => {
  const capacities: number[] = [];
  const observer = { windowCapacity: (events: number) => void capacities.push(events) };
  const cacher = open(memory, { windowEvents: 4, observer });
  await cacher.ready();
  for (let value = 0; value < 30; value++) await set(cacher, "a/x", String(value));
  expect(capacities.at(-1)).toBe(32);
  for (let step = 0; step < 20; step++) await clock.advance(10_000);
  expect(capacities.at(-1)).toBe(4);
});

describe("own writes that are awaited", () => {
  let letEvents: () => void;
  /** A store whose watches deliver nothing before `letEvents`. */
  const late = (): KeyValueStore => {
    const gate = new Promise<void>((resolve) => {
      letEvents = resolve;
    });
    const kv = withoutLocalCommits(memory);
    return {
      ...kv,
      async *watch(request, signal) {
        for await (const batch of kv.watch(request, signal)) {
          await gate;
          yield batch;
        }
      },
    };
  };
  const any: ReadVersion = { kind: "any" };

  test("are answered when immediate watches and reads at any version have them", async () => {
    const cacher = open(late(), { awaitOwnWrites: true });
    await put("a/x", JSON.stringify(testObject("a/x", "1")));
    await put("a/y", JSON.stringify(testObject("a/y", "1")));
    await cacher.ready();
    const sink = new RecordedSink();
    const start = { kind: "exact", revision: toRevision(0) } as const;
    await cacher.watch({ prefix: "", start, bookmarks: false, immediate: true }, sink);
    const seen: string[][] = [];
    const writes = [
      cacher.create("a/z", testObject("a/z", "1")),
      set(cacher, "a/x", "2"),
      removeObject(cacher, "a/y"),
    ].map((write) => write.then(() => void seen.push(sink.shown())));
    await settle();
    expect(seen).toEqual([]);
    expect((await cacher.get("a/x", any)).decode().value).toBe("1");
    letEvents();
    await Promise.all(writes);
    const [first = []] = seen;
    expect(first[0]).toBe("ADDED a/z=1@4");
    expect(seen.at(-1)).toEqual(["ADDED a/z=1@4", "MODIFIED a/x=2@5", "DELETED a/y=1@6"]);
    expect((await cacher.get("a/x", any)).decode().value).toBe("2");
    await expect(cacher.get("a/y", any)).rejects.toMatchObject({ code: "KeyNotFound" });
  });

  test("are answered anyway when their event does not come in time, or the cache stops", async () => {
    const cacher = open(late(), { awaitOwnWrites: true, futureWaitMs: 1000 });
    await cacher.ready();
    const answered: string[] = [];
    const write = async (key: string): Promise<void> => {
      await cacher.create(key, testObject(key, "1"));
      answered.push(key);
    };
    const slow = write("a/x");
    await settle();
    await clock.advance(999);
    expect(answered).toEqual([]);
    await clock.advance(1);
    await slow;
    const stopped = write("a/y");
    await settle();
    cacher.stop();
    await stopped;
    expect(answered).toEqual(["a/x", "a/y"]);
  });

  test("are the only ones that wait", async () => {
    const cacher = open(late());
    await cacher.ready();
    await cacher.create("a/x", testObject("a/x", "1"));
    await expect(cacher.get("a/x", any)).rejects.toMatchObject({ code: "KeyNotFound" });
  });
});

describe.each(["commits", "watches"] as const)("fed by %s", (feed) => {
  const store = (): KeyValueStore => (feed === "commits" ? memory : withoutLocalCommits(memory));

  test("its own writes are encoded once for writer, cache and watchers, and never decoded", async () => {
    const cacher = open(store());
    await cacher.ready();
    const sink = await watchFrom(cacher, 0);
    const created = await cacher.create("a/x", testObject("a/x", "1"));
    const updated = await changeObject(cacher, "a/x", (current) => {
      expect(current?.revision).toBe(created.revision);
      return { object: testObject("a/x", "2") };
    });
    await sink.untilCount(2);
    expect(counts).toEqual({ decoded: 0, encoded: 2 });
    expect(sink.received[0]).toMatchObject({ type: "ADDED" });
    expect((sink.received[1] as { object: unknown }).object).toBe(updated);
    expect(await cacher.get("a/x", mostRecent)).toBe(updated);
  });

  test("other servers' writes are decoded once, however many watch", async () => {
    const cacher = open(store());
    await cacher.ready();
    const sinks = [await watchFrom(cacher, 0), await watchFrom(cacher, 0), await watchFrom(cacher, 0)];
    await put("a/x", JSON.stringify(testObject("a/x", "theirs")));
    for (const sink of sinks) await sink.untilCount(1);
    expect(counts).toEqual({ decoded: 1, encoded: 1 });
  });

  test("recent versions, pages and most recent reads are served without reading the collection", async () => {
    const cacher = open(store());
    await cacher.ready();
    const { revision } = await cacher.create("a/x", testObject("a/x", "1"));
    for (let value = 2; value < 20; value++) await set(cacher, "a/x", String(value));
    await cacher.get("a/x", { kind: "notOlderThan", revision: toRevision(revision + 18) });
    calls.length = 0;
    const old = await cacher.list({ prefix: "", at: { kind: "exact", revision }, limit: 1 });
    expect(old.items[0]?.decode().value).toBe("1");
    expect((await cacher.get("a/x", mostRecent)).decode().value).toBe("19");
    const sink = await watchFrom(cacher, revision);
    await sink.untilCount(18);
    // A remote store is asked whether it still has that version.
    expect(calls.filter((call) => call === "range")).toHaveLength(feed === "commits" ? 0 : 1);
  });

  test("changes during a slow decryption keep their order, and most recent reads wait for them", async () => {
    const transformer: ValueTransformer = {
      toStorage: (value) => value,
      async fromStorage(value) {
        const text = Buffer.from(value).toString();
        await new Promise((resolve) => setTimeout(resolve, text.includes("slow") ? 20 : 1));
        return { value, stale: false };
      },
    };
    const cacher = open(store(), { transformer });
    await cacher.ready();
    const sink = await watchFrom(cacher, 0);
    await put("a/x", JSON.stringify(testObject("a/x", "slow 1")));
    await put("a/y", JSON.stringify(testObject("a/y", "quick")));
    await set(cacher, "a/z", "own");
    await put("a/x", JSON.stringify(testObject("a/x", "slow 2")));
    expect((await cacher.get("a/x", mostRecent)).decode().value).toBe("slow 2");
    await sink.untilCount(4);
    expect(sink.received.map((event) => event.type !== "BOOKMARK" && event.object.decode().value)).toEqual([
      "slow 1",
      "quick",
      "own",
      "slow 2",
    ]);
  });

  test.each([
    ["events", { events: 5 }],
    ["bytes", { bytes: 500 }],
  ])("a watcher that stays too many %s behind is ended; the others do not notice", async (_what, lagMax) => {
    const cacher = open(store(), { lagMax });
    await cacher.ready();
    const slow = Object.assign(new RecordedSink(), { ready: () => new Promise<void>(() => undefined) });
    await watchFrom(cacher, 0, slow);
    const quick = await watchFrom(cacher, 0);
    for (let value = 0; value < 10; value++) {
      await set(cacher, "a/x", String(value));
      await settle();
    }
    await quick.untilCount(10);
    expect(await slow.untilEnded()).toMatchObject({ code: "Unavailable" });
    expect(slow.received).toEqual([]);
  });

  test("until the collection can be read, the store answers what it can", async () => {
    await put("a/broken", "no json");
    await put("a/x", JSON.stringify(testObject("a/x", "1")));
    const cacher = open(store());
    let isReady = false;
    const ready = cacher.ready().then(() => {
      isReady = true;
    });
    await settle();
    expect((await cacher.get("a/x", mostRecent)).decode().value).toBe("1");
    await expect(cacher.list({ prefix: "", at: mostRecent, limit: 0 })).rejects.toMatchObject({
      code: "Corrupt",
      message: expect.stringContaining("a/broken"),
    });
    expect(isReady).toBe(false);
    await put("a/broken", JSON.stringify(testObject("a/broken", "mended")));
    await clock.advance(1000);
    await ready;
    expect((await cacher.list({ prefix: "", at: mostRecent, limit: 0 })).items).toHaveLength(2);
  });

  test("stopping ends the watches without an error", async () => {
    const cacher = open(store());
    const sink = await watchFrom(cacher, 0);
    cacher.stop();
    expect(await sink.untilEnded()).toBeUndefined();
    await put("a/x", JSON.stringify(testObject("a/x", "1")));
    expect((await cacher.get("a/x", mostRecent)).decode().value).toBe("1");
    const late = await watchFrom(cacher, 0);
    expect(await late.untilEnded()).toBeUndefined();
    expect(late.received).toEqual([]);
  });
});

describe("fed by watches", () => {
  test("readers at the same time share one question for the revision, later ones do not", async () => {
    const cacher = open(withoutLocalCommits(memory));
    await cacher.create("a/x", testObject("a/x", "1"));
    await cacher.ready();
    calls.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => cacher.get("a/x", mostRecent)));
    expect(calls).toEqual(["currentRevision"]);
    const early = cacher.get("a/x", mostRecent);
    await put("a/x", JSON.stringify(testObject("a/x", "2")));
    expect((await cacher.get("a/x", mostRecent)).decode().value).toBe("2");
    await early;
  });

  test("an answer that was asked for before a write does not serve a read after it", async () => {
    let release: () => void = () => undefined;
    let held = false;
    const kv: KeyValueStore = {
      ...withoutLocalCommits(memory),
      async currentRevision() {
        const revision = await memory.currentRevision();
        if (held) {
          held = false;
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        }
        return revision;
      },
    };
    const cacher = open(kv);
    await cacher.create("a/x", testObject("a/x", "1"));
    await cacher.ready();
    held = true;
    const early = cacher.get("a/x", mostRecent);
    await settle();
    await put("a/x", JSON.stringify(testObject("a/x", "2")));
    const late = cacher.get("a/x", mostRecent);
    await settle();
    release();
    await early;
    expect((await late).decode().value).toBe("2");
  });

  test("a watch that the store interrupts goes on without loss, unnoticed by watchers", async () => {
    let watches = 0;
    const kv: KeyValueStore = {
      ...withoutLocalCommits(memory),
      async *watch(request, signal): AsyncGenerator<WatchBatch, void> {
        watches++;
        for await (const batch of memory.watch(request, signal)) {
          yield batch;
          if (watches < 5) throw new StorageError("Unavailable", "gone");
        }
      },
    };
    const cacher = open(kv);
    await cacher.ready();
    const sink = await watchFrom(cacher, 0);
    for (let value = 0; value < 10; value++) await set(cacher, "a/x", String(value));
    for (let step = 0; step < 20; step++) await clock.advance(500);
    await sink.untilCount(10);
    expect(watches).toBe(5);
    const values = sink.received.map((event) => event.type !== "BOOKMARK" && event.object.decode().value);
    expect(values).toEqual(Array.from({ length: 10 }, (_, value) => String(value)));
  });

  test("when history is lost watchers are told, and the collection is read again", async () => {
    let lose: (error: unknown) => void = () => undefined;
    let watches = 0;
    const kv: KeyValueStore = {
      ...withoutLocalCommits(memory),
      async *watch(request, signal): AsyncGenerator<WatchBatch, void> {
        if (++watches === 1) {
          await new Promise((_, reject) => {
            lose = reject;
          });
        }
        yield* memory.watch(request, signal);
      },
    };
    const cacher = open(kv);
    await cacher.ready();
    const sink = await watchFrom(cacher, 0);
    await put("a/x", JSON.stringify(testObject("a/x", "unseen")));
    lose(new StorageError("Compacted", "too late"));
    expect(await sink.untilEnded()).toMatchObject({ code: "Compacted" });
    await cacher.ready();
    const { items } = await cacher.list({ prefix: "", at: { kind: "any" }, limit: 0 });
    expect(items.map((item) => item.decode().value)).toEqual(["unseen"]);
    const later = await watchFrom(cacher, 0);
    await set(cacher, "a/x", "seen");
    await later.untilCount(1);
  });

  test("the store answers most recent reads when the cache does not come up in time", async () => {
    const kv: KeyValueStore = {
      ...withoutLocalCommits(memory),
      async *watch(_, signal): AsyncGenerator<WatchBatch, void> {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    };
    const cacher = open(kv);
    await cacher.ready();
    await put("a/x", JSON.stringify(testObject("a/x", "1")));
    const read = cacher.get("a/x", mostRecent);
    for (let step = 0; step < 35; step++) {
      await settle();
      await clock.advance(100);
    }
    expect((await read).decode().value).toBe("1");
  });
});

test.each([
  [true, "how far the store has come"],
  [false, "nothing beyond the last event of the resource"],
])("with bookmarkProgress %s a bookmark tells %s", async (bookmarkProgress) => {
  const cacher = open(memory, { bookmarkProgress });
  await cacher.ready();
  await set(cacher, "a/x", "1");
  const { revision } = await cacher.get("a/x", mostRecent);
  const sink = new RecordedSink();
  const start = { kind: "exact", revision } as const;
  await cacher.watch({ prefix: "", start, bookmarks: true, deadline: clock.now() + 10_000 }, sink);
  await set(cacher, "a/y", "1");
  const own = (await cacher.get("a/y", mostRecent)).revision;
  const elsewhere = { kind: "put", key: "/registry/others/a", value: Buffer.from("1") } as const;
  const { revision: newest } = await memory.transact({ compare: [], success: [elsewhere], failure: [] });
  for (let second = 0; second < 10; second++) await clock.advance(1000);
  await settle();
  const event = `ADDED a/y=1@${own}`;
  expect(sink.shown()).toEqual(bookmarkProgress ? [event, `BOOKMARK@${newest}`] : [event]);
});

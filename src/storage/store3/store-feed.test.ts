import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type KvEvent, type Revision, toRevision, type WatchBatch } from "../kv.js";
import { StorageError } from "../storage-error.js";
import type { EtcdWatch, EtcdWatchOptions } from "./etcd-watch.js";
import { StoreFeed } from "./store-feed.js";
import type { Subscription } from "./subscription.js";

type Handlers = Omit<EtcdWatchOptions, "pool" | "clock">;

/** Stands in for etcd: a log with one event per revision, and watches that the test advances. */
class FakeEtcd {
  readonly watches: FakeWatch[] = [];
  revision = 1;
  currentRevisionFails = false;

  readonly openWatch = (options: Handlers): EtcdWatch => {
    const watch = new FakeWatch(options);
    this.watches.push(watch);
    // The feed uses no more of the class than what the fake has.
    return watch as unknown as EtcdWatch;
  };

  feed(): StoreFeed {
    return new StoreFeed({
      openWatch: this.openWatch,
      after: toRevision(this.revision),
      currentRevision: async () => {
        if (this.currentRevisionFails) throw new StorageError("Unavailable", "down");
        return toRevision(this.revision);
      },
    });
  }

  watch(index: number): FakeWatch {
    const watch = this.watches[index];
    if (watch === undefined) throw new Error(`no watch ${index}`);
    return watch;
  }
}

class FakeWatch {
  readonly options: Handlers;
  position: Revision;
  paused = false;
  closed = false;

  constructor(options: Handlers) {
    this.options = options;
    this.position = options.after;
  }

  advance(to: number, bytes = 1): void {
    for (let revision = this.position + 1; revision <= to && !this.closed; revision++) {
      this.position = toRevision(revision);
      this.options.onEvents([eventAt(revision, bytes)], this.position);
    }
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  close(): void {
    this.closed = true;
  }
}

function eventAt(revision: number, bytes: number): KvEvent {
  const at = toRevision(revision);
  return {
    type: "put",
    kv: {
      key: `/${revision % 2 === 0 ? "even" : "odd"}`,
      value: Buffer.alloc(bytes),
      modRevision: at,
      createRevision: at,
      version: 1,
      lease: 0n,
    },
    previous: undefined,
  };
}

const everything = { start: "/", end: "0" };

function reader(subscription: Subscription): AsyncIterator<WatchBatch> {
  return subscription.batches(new AbortController().signal)[Symbol.asyncIterator]();
}

async function read(iterator: AsyncIterator<WatchBatch>, count: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const { value } = await iterator.next();
    seen.push(`${value.kind === "events" ? "" : "progress "}${value.revision}`);
  }
  return seen;
}

const revisions = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test("one watch of etcd serves all, each with its range and start", async () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  const all = reader(feed.subscribe(everything, toRevision(2)));
  etcd.watch(0).advance(5);
  const even = reader(feed.subscribe({ start: "/even" }, toRevision(3)));
  const later = reader(feed.subscribe(everything, toRevision(7)));
  etcd.watch(0).advance(8);
  expect(await read(all, 7)).toEqual(revisions(2, 8));
  expect(await read(even, 3)).toEqual(["4", "6", "8"]);
  expect(await read(later, 2)).toEqual(["7", "8"]);
  expect(etcd.watches.length).toBe(1);
});

test("progress is told when the feed has come so far, and to idle watches too", async () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  const all = reader(feed.subscribe(everything, toRevision(2)));
  const idle = reader(feed.subscribe({ start: "/none" }, toRevision(2)));
  feed.requestProgress(toRevision(4));
  etcd.watch(0).advance(5);
  expect(await read(all, 5)).toEqual(["2", "3", "4", "progress 4", "5"]);
  expect(await read(idle, 1)).toEqual(["progress 4"]);
  feed.requestProgress(toRevision(5));
  expect(await read(idle, 1)).toEqual(["progress 5"]);
});

test("a watch from long ago catches up by itself and then joins, without a gap or a repetition", async () => {
  const etcd = new FakeEtcd();
  etcd.revision = 100;
  const feed = etcd.feed();
  const old = reader(feed.subscribe(everything, toRevision(50)));
  expect(etcd.watch(1).options.after).toBe(49);
  etcd.watch(1).advance(80);
  etcd.watch(0).advance(105);
  etcd.watch(1).advance(110);
  expect(etcd.watch(1).closed).toBe(true);
  etcd.watch(0).advance(120);
  const seen = [...revisions(50, 105), "progress 105", ...revisions(106, 120)];
  expect(await read(old, 72)).toEqual(seen);
});

test("one that catches up is held back, not buffered without end", async () => {
  const etcd = new FakeEtcd();
  etcd.revision = 50_000;
  const feed = etcd.feed();
  const old = reader(feed.subscribe(everything, toRevision(2)));
  etcd.watch(1).advance(10_000);
  expect(etcd.watch(1).paused).toBe(false);
  etcd.watch(1).advance(10_001);
  expect(etcd.watch(1).paused).toBe(true);
  await read(old, 1);
  expect(etcd.watch(1).paused).toBe(false);
});

test("a watch that is not read is ended after its events; the others go on", async () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  const unread = reader(feed.subscribe(everything, toRevision(2)));
  const other = reader(feed.subscribe({ start: "/none" }, toRevision(2)));
  etcd.watch(0).advance(20_000);
  expect(await read(unread, 10_000)).toEqual(revisions(2, 10_001));
  await expect(unread.next()).rejects.toMatchObject({ code: "Unavailable" });
  feed.requestProgress(toRevision(20_000));
  expect(await read(other, 1)).toEqual(["progress 20000"]);
});

test("the recent past is bounded, in events and in bytes", () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  etcd.watch(0).advance(6002);
  feed.subscribe(everything, toRevision(2000));
  expect(etcd.watches.length).toBe(2);
  feed.subscribe(everything, toRevision(5000));
  expect(etcd.watches.length).toBe(2);
  etcd.watch(0).advance(6030, 1024 * 1024);
  feed.subscribe(everything, toRevision(6005));
  expect(etcd.watches.length).toBe(3);
});

test("after a compaction watches that start below it are not served from memory", () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  etcd.watch(0).advance(20);
  feed.compacted(toRevision(10));
  feed.subscribe(everything, toRevision(10));
  expect(etcd.watches.length).toBe(1);
  feed.subscribe(everything, toRevision(9));
  expect(etcd.watches.length).toBe(2);
});

test("when history was compacted under the feed, those that need none of it go on", async () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  const lost = reader(feed.subscribe(everything, toRevision(2)));
  const justRight = reader(feed.subscribe(everything, toRevision(50)));
  const ahead = reader(feed.subscribe(everything, toRevision(60)));
  etcd.watch(0).advance(3);
  feed.compacted(toRevision(50));
  etcd.watch(0).options.onEnd(compactedAt(50));
  expect(await read(lost, 2)).toEqual(["2", "3"]);
  await expect(lost.next()).rejects.toMatchObject({ code: "Compacted" });

  expect(etcd.watch(1).options.after).toBe(49);
  const tooLate = reader(feed.subscribe(everything, toRevision(49)));
  etcd.watch(2).options.onEnd(compactedAt(50));
  await expect(tooLate.next()).rejects.toMatchObject({ code: "Compacted" });
  etcd.watch(1).advance(62);
  expect(await read(justRight, 13)).toEqual(revisions(50, 62));
  expect(await read(ahead, 3)).toEqual(revisions(60, 62));
});

test.each([compactedAt(50), new StorageError("Unavailable", "no")])(
  "when nobody can go on after $code, the feed begins again with the newest",
  async (reason) => {
    const etcd = new FakeEtcd();
    const feed = etcd.feed();
    const lost = reader(feed.subscribe(everything, toRevision(2)));
    etcd.watch(0).advance(3);
    etcd.revision = 100;
    etcd.watch(0).options.onEnd(reason);
    const meanwhile = reader(feed.subscribe(everything, toRevision(90)));
    await setImmediate();
    expect(await read(lost, 2)).toEqual(["2", "3"]);
    await expect(lost.next()).rejects.toBe(reason);

    expect(etcd.watch(1).options.after).toBe(100);
    expect(etcd.watch(2).options.after).toBe(89);
    etcd.watch(2).advance(100);
    etcd.watch(1).advance(102);
    expect(await read(meanwhile, 14)).toEqual([...revisions(90, 100), "progress 100", "101", "102"]);
  },
);

function compactedAt(revision: number): StorageError {
  return new StorageError("Compacted", "gone", { revision });
}

test("closing ends every watch, also one made afterwards", async () => {
  const etcd = new FakeEtcd();
  const feed = etcd.feed();
  const before = reader(feed.subscribe(everything, toRevision(2)));
  feed.close(new StorageError("Unavailable", "closed"));
  await expect(before.next()).rejects.toMatchObject({ message: "closed" });
  const after = reader(feed.subscribe(everything, toRevision(2)));
  await expect(after.next()).rejects.toMatchObject({ message: "closed" });
  expect(etcd.watch(0).closed).toBe(true);
});

import { expect, test } from "vitest";
import { type KvEvent, type Operation, type Revision, toRevision } from "../kv.js";
import { MemoryStore } from "../testing/memory-store.js";
import type { FeedSubscription } from "./cache-feed.js";
import { LocalCommitFeed } from "./local-commit-feed.js";

interface Recorded {
  readonly subscription: FeedSubscription;
  readonly applied: string[];
  progressed: number;
}

function subscribe(feed: LocalCommitFeed, prefix: string): Recorded {
  const applied: string[] = [];
  const recorded: Recorded = {
    applied,
    progressed: 0,
    subscription: feed.subscribe(prefix, {
      apply: (events: readonly KvEvent[], revision: Revision) =>
        applied.push(`${events.map(({ kv }) => kv.key).join(" ")} @${revision}`),
      progressed: () => {
        recorded.progressed++;
      },
      lost: () => undefined,
    }),
  };
  return recorded;
}

async function put(store: MemoryStore, ...keys: string[]): Promise<Revision> {
  const success = keys.map((key): Operation => ({ kind: "put", key, value: Buffer.from("1") }));
  return (await store.transact({ compare: [], success, failure: [] })).revision;
}

test("a change goes to the prefixes it lies under, and to no other", async () => {
  const store = new MemoryStore();
  const feed = new LocalCommitFeed(store);
  const start = await store.currentRevision();
  const prefixes = ["/r/pods/", "/r/services/specs/", "/r/services/endpoints/", "/r/", "/r/pod/"];
  const [pods, specs, endpoints, all, pod] = prefixes.map((prefix) => subscribe(feed, prefix));
  for (const each of [pods, specs, endpoints, all, pod]) each?.subscription.start(start);
  const first = await put(store, "/r/pods/a/x");
  const second = await put(store, "/r/services/specs/a/x", "/r/services/specs/b/x", "/r/pods/a/y");
  const third = await put(store, "/elsewhere/x");
  expect(pods?.applied).toEqual([`/r/pods/a/x @${first}`, `/r/pods/a/y @${second}`]);
  expect(specs?.applied.join(" ")).toContain("/r/services/specs/a/x");
  expect(specs?.applied.join(" ")).toContain("/r/services/specs/b/x");
  expect(endpoints?.applied).toEqual([]);
  expect(pod?.applied).toEqual([]);
  expect(all?.applied.join(" ").match(/\/r\//g)).toHaveLength(4);
  for (const each of [pods, specs, endpoints]) expect(each?.subscription.reached()).toBe(third);
  expect(feed.newestRevision()).toBe(third);
});

test("what is committed before the start is handed over at the start, but for what the starter has", async () => {
  const store = new MemoryStore();
  const feed = new LocalCommitFeed(store);
  const pods = subscribe(feed, "/r/pods/");
  const first = await put(store, "/r/pods/a/x");
  const second = await put(store, "/r/pods/a/y");
  expect(pods.applied).toEqual([]);
  pods.subscription.start(first);
  expect(pods.applied).toEqual([`/r/pods/a/y @${second}`]);
  pods.subscription.stop();
  await put(store, "/r/pods/a/z");
  expect(pods.applied).toHaveLength(1);
});

test("progress is reported to those who wait for it, after all changes of the commit", async () => {
  const store = new MemoryStore();
  const feed = new LocalCommitFeed(store);
  const pods = subscribe(feed, "/r/pods/");
  pods.subscription.start(toRevision(1));
  await put(store, "/elsewhere/x");
  expect(pods.progressed).toBe(0);
  pods.subscription.setAwaited(true);
  await put(store, "/elsewhere/y");
  expect(pods.progressed).toBe(1);
  pods.subscription.setAwaited(false);
  await put(store, "/elsewhere/z");
  expect(pods.progressed).toBe(1);
  feed.close();
  await put(store, "/r/pods/a/x");
  expect(pods.applied).toEqual([]);
});

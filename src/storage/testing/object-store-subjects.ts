import type { ManualClock } from "../../time/manual-clock.js";
import { forwarding } from "../forwarding-store.js";
import type { KeyValueStore } from "../kv.js";
import { createObjectStore } from "../store/object-store.js";
import { type CacherOptions, createCacher } from "../watchcache/cacher.js";
import { createCacheFeed } from "../watchcache/create-cache-feed.js";
import { FanOut } from "../watchcache/fan-out.js";
import type { ObjectSubject } from "./object-ground.js";
import { createTestCodec, type TestObject } from "./test-object.js";

export interface OpenedKv {
  readonly kv: KeyValueStore;
  readonly clock: ManualClock;
  /** See `ObjectSubject`. */
  readonly answersWithinMs?: number | undefined;
  readonly close: () => Promise<void>;
}

/** The object store directly on a key-value store. */
export async function openPlainSubject(
  open: () => Promise<OpenedKv>,
  prefix = "/registry/things/",
): Promise<ObjectSubject> {
  const { kv, clock, close, answersWithinMs } = await open();
  const codec = createTestCodec();
  const store = createObjectStore<TestObject>({ kv, prefix, codec, clock, random: () => 0.5 });
  return { store, kv, prefix, clock, answersWithinMs, sharesEvents: false, close };
}

/** The watch cache over a key-value store. */
export async function openCachedSubject(
  open: () => Promise<OpenedKv>,
  overrides: Partial<CacherOptions<TestObject>> = {},
  prefix = "/registry/things/",
): Promise<ObjectSubject> {
  const { kv, clock, close, answersWithinMs } = await open();
  const random = (): number => 0.5;
  const feed = createCacheFeed({ kv, root: "/", clock, random });
  const codec = createTestCodec();
  const fanOut = new FanOut();
  const options = { kv, prefix, codec, clock, random, feed, fanOut, windowEvents: 100, ...overrides };
  const store = createCacher<TestObject>(options);
  await store.ready();
  return {
    store,
    kv,
    prefix,
    clock,
    answersWithinMs,
    sharesEvents: true,
    close: async () => {
      store.stop();
      feed.close();
      await close();
    },
  };
}

/** The same store without its local commits, as if it were remote. */
export function withoutLocalCommits(kv: KeyValueStore): KeyValueStore {
  return forwarding(kv);
}

/**
 * What the watch cache does on this machine: filling it with 100,000 objects, the memory they take, lists from it, the cost of a
 * create as the collection grows, and delivery of events to up to 5,000 watchers without blocking the event loop.
 * Goals: 100,000 objects in under 3 s; a create as cheap among 100,000 objects as among 1,000; no block over 20 ms.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ApiObject } from "../src/apimachinery/objects/meta.js";
import { openEmbeddedStore } from "../src/storage/embedded/embedded-store.js";
import { type KeyValueStore, toRevision } from "../src/storage/kv.js";
import type { ObjectAttributes, ObjectCodec, WatchHandle, WatchSink } from "../src/storage/object-store.js";
import { type Cacher, createCacher } from "../src/storage/watchcache/cacher.js";
import { createCacheFeed } from "../src/storage/watchcache/create-cache-feed.js";
import { FanOut } from "../src/storage/watchcache/fan-out.js";
import { SortedIndex } from "../src/storage/watchcache/sorted-index.js";

const prefix = "/registry/things/";
const objects = 100_000;
const figures: Record<string, number> = {};

interface Thing extends ApiObject {
  spec: { readonly text: string };
}

const codec: ObjectCodec<Thing> = {
  toStorage: (thing) =>
    Buffer.from(JSON.stringify({ ...thing, metadata: { ...thing.metadata, resourceVersion: undefined } })),
  fromStorage: (bytes) => parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()),
  toBody: (thing) => Buffer.from(JSON.stringify(thing).slice(1)),
  fromBody: (body) => parse(`{${body.toString()}`),
  attributes: ({ metadata }) => ({
    labels: metadata.labels ?? {},
    fields: { "metadata.name": metadata.name ?? "", "metadata.namespace": metadata.namespace ?? "" },
  }),
  getResourceVersion: ({ metadata }) => metadata.resourceVersion ?? "",
  setResourceVersion({ metadata }, resourceVersion) {
    metadata.resourceVersion = resourceVersion === "" ? undefined : resourceVersion;
  },
};

function parse(text: string): Thing {
  return JSON.parse(text) as Thing; // written above
}

/** About 1.5 KB, as a pod is. */
function thing(namespace: string, name: string): Thing {
  const labels = { app: `app-${name.length}`, "pod-template-hash": namespace, tier: "backend" };
  return {
    metadata: { name, namespace, uid: `uid-${name}`, labels },
    spec: { text: "0123456789abcdef".repeat(80) },
  };
}

function keyOf(number: number): [string, string] {
  return [`namespace-${number % 100}`, `thing-${String(number).padStart(6, "0")}`];
}

async function main(): Promise<void> {
  indexCost();
  const directory = await mkdtemp(join(tmpdir(), "watchcache-bench-"));
  const kv = await openEmbeddedStore({ directory: join(directory, "store") });
  try {
    await fill(kv);
    await startAndLists(kv);
    await fanOut(kv);
    await creates(kv);
  } finally {
    await kv.close();
    await rm(directory, { recursive: true });
  }
  console.log(JSON.stringify(figures));
}

function openCacher(kv: KeyValueStore, at = prefix): Cacher<Thing> & { close(): void } {
  const feed = createCacheFeed({ kv, root: "/" });
  const cacher = createCacher({ kv, prefix: at, codec, feed, fanOut: new FanOut(), windowEvents: 100 });
  const close = (): void => {
    cacher.stop();
    feed.close();
  };
  return Object.assign(cacher, { close });
}

function indexCost(): void {
  for (const size of [1000, 10_000, 100_000]) {
    const keys = Array.from({ length: size }, (_, number) => keyOf(number).join("/")).sort();
    let index = SortedIndex.fromSorted(keys, keys);
    const rounds = 50_000;
    const elapsedMs = timed(() => {
      for (let round = 0; round < rounds; round++) {
        const key = `${keys[(round * 7919) % size]}x`;
        index = index.set(key, key).delete(key);
      }
    });
    report(`index: insert and delete among ${size}`, (elapsedMs / rounds) * 1000, "µs");
  }
}

async function fill(kv: KeyValueStore): Promise<void> {
  const perTransaction = 100;
  const writes: Promise<unknown>[] = [];
  for (let start = 0; start < objects; start += perTransaction) {
    const success = Array.from({ length: perTransaction }, (_, offset) => {
      const [namespace, name] = keyOf(start + offset);
      const value = codec.toStorage(thing(namespace, name));
      return { kind: "put", key: `${prefix}${namespace}/${name}`, value } as const;
    });
    writes.push(kv.transact({ compare: [], success, failure: [] }));
    if (writes.length % 50 === 0) await Promise.all(writes);
  }
  await Promise.all(writes);
}

async function startAndLists(kv: KeyValueStore): Promise<void> {
  const empty = Array.from({ length: 56 }, (_, number) => openCacher(kv, `/registry/empty-${number}/`));
  const emptyStart = performance.now();
  await Promise.all(empty.map((cacher) => cacher.ready()));
  report("start: 56 empty collections", performance.now() - emptyStart, "ms");
  for (const cacher of empty) cacher.close();

  const before = memory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cacher = openCacher(kv);
  const start = performance.now();
  await cacher.ready();
  report("start: 100,000 objects", performance.now() - start, "ms");
  delay.disable();
  report("start: longest block of the event loop", delay.max / 1e6, "ms");
  report("memory: per object of 1.5 KB", (memory() - before) / objects, "bytes");

  const isHalf = ({ labels }: ObjectAttributes): boolean =>
    labels["pod-template-hash"]?.endsWith("7") === true;
  for (const [count, request] of [
    [1000, { prefix: "namespace-7/" }],
    [10_000, { prefix: "", limit: 10_000 }],
    [100_000, { prefix: "" }],
    [100_000, { prefix: "", matches: isHalf }],
  ] as const) {
    const rounds = count === 1000 ? 200 : 20;
    const began = performance.now();
    for (let round = 0; round < rounds; round++) {
      await cacher.list({ at: { kind: "mostRecent" }, limit: 0, ...request });
    }
    const name = "matches" in request ? "list: a tenth of 100,000 by label" : `list: ${count} objects`;
    report(name, (performance.now() - began) / rounds, "ms");
  }
  const gets = 200_000;
  const began = performance.now();
  for (let round = 0; round < gets; round++) {
    await cacher.get(keyOf((round * 7919) % objects).join("/"), { kind: "mostRecent" });
  }
  report("get: most recent", gets / (performance.now() - began), "/ms");
  cacher.close();
}

async function fanOut(kv: KeyValueStore): Promise<void> {
  for (const [watchers, events, sinkMs] of [
    [1, 2000, 0],
    [100, 2000, 0],
    [1000, 2000, 0],
    [5000, 2000, 0],
    // What a write to a socket costs.
    [5000, 200, 0.015],
  ] as const) {
    const cacher = openCacher(kv, `/registry/watched-${watchers}-${sinkMs}/`);
    await cacher.ready();
    let delivered = 0;
    let done: () => void = () => undefined;
    const sink: WatchSink<Thing> = {
      events(batch) {
        delivered += batch.length;
        if (sinkMs > 0) busyFor(sinkMs);
        if (delivered === events * watchers) done();
      },
      end: () => undefined,
    };
    const handles: WatchHandle[] = [];
    for (let number = 0; number < watchers; number++) {
      handles.push(
        await cacher.watch(
          { prefix: "", start: { kind: "exact", revision: toRevision(0) }, bookmarks: true },
          { ...sink },
        ),
      );
    }
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    const finished = new Promise<void>((resolve) => {
      done = resolve;
    });
    for (let number = 0; number < events; number += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, offset) => {
          const [namespace, name] = keyOf(number + offset);
          return cacher.create(`${namespace}/${name}`, thing(namespace, name));
        }),
      );
    }
    await finished;
    const elapsedMs = performance.now() - start;
    delay.disable();
    const name = `fan-out: to ${watchers}${sinkMs > 0 ? ` sinks that take ${sinkMs * 1000} µs` : ""}`;
    report(name, Math.round((delivered / elapsedMs) * 1000), "events/s");
    report(`${name}, longest block`, delay.max / 1e6, "ms");
    for (const handle of handles) handle.stop();
    cacher.close();
  }
}

async function creates(kv: KeyValueStore): Promise<void> {
  const cacher = openCacher(kv);
  await cacher.ready();
  const small = openCacher(kv, "/registry/small/");
  await small.ready();
  for (let number = 0; number < 1000; number++) await createIn(small, number);
  for (const [size, target, first] of [
    [1000, small, 1000],
    [100_000, cacher, objects],
  ] as const) {
    const count = 20_000;
    const lanes = 200;
    let next = first;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (next < first + count) await createIn(target, next++);
      }),
    );
    report(
      `create: durable, 200 writers, from ${size} objects`,
      Math.round((count / (performance.now() - start)) * 1000),
      "/s",
    );
  }
  cacher.close();
  small.close();
}

function createIn(cacher: Cacher<Thing>, number: number): Promise<unknown> {
  const [namespace, name] = keyOf(number);
  return cacher.create(`${namespace}/${name}`, thing(namespace, name));
}

function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function memory(): number {
  global.gc?.();
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function report(name: string, value: number, unit: string): void {
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  figures[`${name} (${unit})`] = rounded;
  console.log(`${name.padEnd(60)} ${String(rounded).padStart(12)} ${unit}`);
}

await main();

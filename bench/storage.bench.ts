/**
 * The storage engines on this machine: durable puts of 1.5 KB by 200 writers and by one, reads, watch delivery and opening, compared with
 * the disk's flushes per second, which durable writes can exceed only by sharing a flush. If etcd is installed, store3 is measured on it.
 * Goals: embedded at least 10,000 puts/s by 200 writers and 0.7 ms for one, on a disk of 5,000 flushes/s.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openEmbeddedStore } from "../src/storage/embedded/embedded-store.js";
import { type KeyValueStore, toRevision } from "../src/storage/kv.js";
import { openStore3 } from "../src/storage/store3/store3.js";
import { EtcdCluster, etcdMissing } from "../test/etcd/etcd-cluster.js";
import { flushesPerSecond } from "./support/disk-flushes.js";
import { quantile } from "./support/statistics.js";
import { timed } from "./support/timed.js";

const writers = 200;
const putsByMany = 20_000;
const putsByOne = 1000;
const rangeKeys = 10_000;
const value = Buffer.alloc(1536, "0123456789abcdef");

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "storage-bench-"));
  try {
    print("disk: 2 KB append + fdatasync", `${flushesPerSecond(directory)} /s`);
    await measureEmbedded(join(directory, "embedded"));
    await measureStore3();
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function measureEmbedded(directory: string): Promise<void> {
  const start = performance.now();
  const store = await openEmbeddedStore({ directory });
  print("embedded: first open, library loaded", `${(performance.now() - start).toFixed(1)} ms`);
  await measure("embedded", store);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const purge = await timed(async () => {
    await store.compact(await store.currentRevision());
    await store.purged();
  });
  delay.disable();
  const longest = `${(delay.max / 1e6).toFixed(0)} ms`;
  print("embedded: purge of that history", `${purge.toFixed(0)} ms, event loop held up to ${longest}`);
  await store.close();
  const again = performance.now();
  const reopened = await openEmbeddedStore({ directory });
  print("embedded: open again", `${(performance.now() - again).toFixed(1)} ms`);
  await reopened.close();
}

/** An etcd of one member on the same machine, which shares the processors with this process. */
async function measureStore3(): Promise<void> {
  if (etcdMissing !== undefined) return print("store3", `not measured: ${etcdMissing}`);
  const etcd = await EtcdCluster.start();
  try {
    const store = await openStore3({ endpoints: etcd.endpoints });
    await measure("store3", store);
    await store.close();
  } finally {
    await etcd.close();
  }
}

async function measure(name: string, store: KeyValueStore): Promise<void> {
  const first = (await store.currentRevision()) + 1;
  let next = 0;
  const put = async (): Promise<void> => {
    const key = `/registry/pods/default/pod-${String(next % rangeKeys).padStart(6, "0")}`;
    next += 1;
    await store.transact({ compare: [], success: [{ kind: "put", key, value }], failure: [] });
  };

  const latencies: number[] = [];
  for (let index = 0; index < putsByOne; index++) latencies.push(await timed(put));
  print(
    `${name}: put, one writer`,
    `${quantile(latencies, 0.5).toFixed(2)} ms p50, ${quantile(latencies, 0.99).toFixed(2)} ms p99`,
  );

  const shared: number[] = [];
  const elapsedMs = await timed(async () => {
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (next < putsByOne + putsByMany) shared.push(await timed(put));
      }),
    );
  });
  const perSecond = Math.round((shared.length / elapsedMs) * 1000);
  print(`${name}: put, ${writers} writers`, `${perSecond} /s, ${quantile(shared, 0.99).toFixed(2)} ms p99`);

  const all = { start: "/registry/pods/", end: "/registry/pods0" };
  print(`${name}: range of ${rangeKeys} keys`, `${(await timed(() => store.range(all))).toFixed(1)} ms`);
  const then = toRevision((await store.currentRevision()) - 1000);
  const past = await timed(() => store.range({ ...all, revision: then }));
  print(`${name}: the same 1,000 revisions ago`, `${past.toFixed(1)} ms`);
  const page = await timed(() => store.range({ ...all, limit: 500 }));
  print(`${name}: first 500 of them, with the count`, `${page.toFixed(1)} ms`);
  print(`${name}: current revision`, `${(await timed(() => store.currentRevision())).toFixed(2)} ms`);

  let events = 0;
  const last = await store.currentRevision();
  const watched = await timed(async () => {
    const controller = new AbortController();
    const request = { ...all, startRevision: toRevision(first) };
    for await (const batch of store.watch(request, controller.signal)) {
      if (batch.kind === "events") events += batch.events.length;
      if (batch.revision >= last) controller.abort();
    }
  });
  print(
    `${name}: watch of ${events} events from the past`,
    `${Math.round((events / watched) * 1000)} events/s`,
  );
}

function print(what: string, result: string): void {
  console.log(`${what.padEnd(52)} ${result}`);
}

await main();

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { CatalogSource } from "../src/endpoints/catalog/resource-offer.js";
import { gadgetOffer } from "../test/support/gadgets.js";
import { type InProcessServer, startInProcess } from "../test/support/in-process-server.js";
import { Figures } from "./support/figures.js";
import { timed } from "./support/timed.js";

/** A thousand resources of ten fields, each in a group of its own, added to a running server one by one and removed again. */

const count = Number(process.env.BENCH_RESOURCES ?? 1000);
const step = Math.max(1, Math.floor(count / 4));
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const ground = await startInProcess();
  try {
    await measure(ground);
  } finally {
    await ground.dispose();
  }
  figures.end();
}

async function measure({ api, server }: InProcessServer): Promise<void> {
  // Read in pieces and discarded: parsing a large document here would delay the server in the same process.
  const read = async (path: string): Promise<void> => {
    for await (const _piece of api.stream(path, {}));
  };
  const source = server.catalog.source("the benchmark");
  // Everything that is loaded on first use has been loaded.
  await read("/openapi/v2");
  await add(source, -1);
  await read("/apis");
  remove(source, -1);
  const before = await usedBytes();

  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  for (let from = 0; from < count; from += step) {
    const began = performance.now();
    for (let number = from; number < Math.min(count, from + step); number++) await add(source, number);
    figures.record(`adding ${from + 1} to ${from + step} (ms each)`, (performance.now() - began) / step);
  }
  delays.disable();
  figures.record("turn of the event loop while adding, 99th percentile (ms)", delays.percentile(99) / 1e6);
  figures.record("longest turn of the event loop while adding (ms)", delays.max / 1e6);
  await held("longest turn while API services are registered (ms)", () => setTimeout(2000));
  const idle = await usedBytes();
  figures.record("memory of an idle one (KB)", (idle - before) / count / 1024);

  figures.record("list of groups (ms)", await timed(() => read("/apis")));
  await held("longest turn while metrics are read (ms)", () => read("/metrics"));
  await held("longest turn while OpenAPI 3 is made (ms)", () => read("/openapi/v3"));
  await held("longest turn while the Swagger document is made (ms)", () => read("/openapi/v2"));
  await add(source, count);
  figures.record("OpenAPI 3 after one more (ms)", await timed(() => read("/openapi/v3")));
  figures.record("Swagger document after one more (ms)", await timed(() => read("/openapi/v2")));
  const described = await usedBytes();
  figures.record(
    "memory of one that is described in both documents (KB)",
    (described - before) / count / 1024,
  );

  delays.reset();
  delays.enable();
  const began = performance.now();
  for (let number = 0; number <= count; number++) {
    remove(source, number);
    await setImmediate();
  }
  figures.record("removing (ms each)", (performance.now() - began) / count);
  delays.disable();
  figures.record("longest turn of the event loop while removing (ms)", delays.max / 1e6);
  await read("/openapi/v3");
  await read("/openapi/v2");
  await setTimeout(2000);
  const after = await usedBytes();
  figures.record("memory left behind by each (KB)", (after - before) / count / 1024);

  // After the first round, only bounded caches remain, such as the latest events of the watch cache.
  for (let number = 0; number < count; number++) await add(source, number);
  for (let number = 0; number < count; number++) {
    remove(source, number);
    await setImmediate();
  }
  await setTimeout(2000);
  figures.record(
    "memory left behind by each of a second time (KB)",
    ((await usedBytes()) - after) / count / 1024,
  );
}

async function add(source: CatalogSource, number: number): Promise<void> {
  source.publish({ offered: [gadgetOffer("widget", groupOf(number))] });
  await setImmediate();
}

function remove(source: CatalogSource, number: number): void {
  source.publish({ withdrawn: [{ group: groupOf(number), resource: "widgets" }] });
}

function groupOf(number: number): string {
  return `g${number}.example.com`;
}

async function held(name: string, work: () => Promise<unknown>): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  delays.disable();
  figures.record(name, delays.max / 1e6);
}

async function usedBytes(): Promise<number> {
  for (let run = 0; run < 4; run++) {
    global.gc?.();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { configMaps } from "../../src/apis/core/config-map/resource.js";
import type { ConfigMap } from "../../src/apis/gen/core-v1.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { createResourceCodec } from "../../src/registry/generic/resource-codec.js";
import { openEmbeddedStore } from "../../src/storage/embedded/embedded-store.js";
import type { StoredObject } from "../../src/storage/object-store.js";
import { changeObject } from "../../src/storage/store/change-object.js";
import { createCacher } from "../../src/storage/watchcache/cacher.js";
import { createCacheFeed } from "../../src/storage/watchcache/create-cache-feed.js";
import { FanOut } from "../../src/storage/watchcache/fan-out.js";
import { ManualClock } from "../../src/time/manual-clock.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Memory in use after a garbage collection. */
async function usedBytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const objects = 400;
const updates = 8;
const windowEvents = 50;

function configMap(name: string, update: number): ConfigMap {
  return {
    metadata: { name, namespace: "default", labels: { app: name, update: String(update) } },
    data: { text: String(update).padEnd(1_500, "x") },
  };
}

test("a recent event keeps the JSON of its object once, and gives it back when it is old", {
  timeout: 60_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "recent-events-"));
  const clock = new ManualClock();
  const kv = await openEmbeddedStore({ directory });
  const feed = createCacheFeed({ kv, root: "/registry/", clock });
  let capacity = 0;
  const cacher = createCacher({
    kv,
    prefix: "/registry/configmaps/",
    codec: createResourceCodec(configMaps(testApiContext()), "protobuf"),
    clock,
    feed,
    fanOut: new FanOut(),
    windowEvents,
    observer: {
      windowCapacity(events) {
        capacity = events;
      },
    },
  });
  try {
    await cacher.ready();
    const names = Array.from({ length: objects }, (_, i) => `object-${i}`);
    let last: StoredObject<ConfigMap> | undefined;
    for (let update = 0; update < updates; update++) {
      const written = await Promise.all(
        names.map((name) =>
          changeObject(cacher, `default/${name}`, () => ({ object: configMap(name, update) }), {
            createIfMissing: true,
          }),
        ),
      );
      last = written[0];
    }
    expect(capacity).toBe(objects * updates);
    const full = await usedBytes();
    await clock.advance(200_000);
    expect(capacity).toBe(windowEvents);
    const perEvent = (full - (await usedBytes())) / (objects * updates - windowEvents);
    const json = last?.body.length ?? 0;
    expect(json).toBeGreaterThan(1_500);
    // 1.4 as a rule: the JSON, its event, and the strings that only it has.
    expect(perEvent / json).toBeGreaterThan(1);
    expect(perEvent / json).toBeLessThan(1.75);
  } finally {
    cacher.stop();
    feed.close();
    await kv.close();
    rmSync(directory, { recursive: true });
  }
});

import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { oldestLevel } from "../../../apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../../../apimachinery/schema/schema-registry.js";
import type { RangeAllocation } from "../../../apis/gen/core-v1.js";
import { typePackages } from "../../../apis/type-packages.js";
import { MemoryStore } from "../../../storage/testing/memory-store.js";
import type { RandomInt } from "./allocation-bitmap.js";
import { RangeAllocator } from "./range-allocator.js";
import { RangeRecord } from "./range-record.js";

const codec = new SchemaRegistry(typePackages, { level: oldestLevel }).codec<RangeAllocation>(
  "core/v1.RangeAllocation",
);
const rangeText = "10.0.0.0/24";
const key = "/registry/ranges/serviceips";

function openRecord(kv: MemoryStore, mediaType: "protobuf" | "json" = "protobuf"): RangeRecord {
  return new RangeRecord({ kv, key, codec, mediaType });
}

/** The same numbers in every run. */
function pseudoRandom(): RandomInt {
  let state = 1;
  return (bound) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % bound;
  };
}

async function setUp(size: number, kv = new MemoryStore(), reservedItems = 0) {
  const record = openRecord(kv);
  await record.write(await record.read(), { rangeText, data: new Uint8Array(0) });
  const open = (): RangeAllocator =>
    new RangeAllocator({
      record: openRecord(kv),
      rangeText,
      size,
      random: pseudoRandom(),
      resource: "serviceipallocations",
      reservedItems,
    });
  return { kv, record, open };
}

test("several servers never take the same item, and what is released can be taken again", async () => {
  const step = fc.record({ server: fc.nat(2), release: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.infiniteStream(fc.nat(3)),
      async (steps, delays) => {
        const kv = new MemoryStore({
          async intercept() {
            // Interleaves the reads and writes of the servers.
            for (let turns = delays.next().value ?? 0; turns > 0; turns--) await nextTurn();
          },
        });
        const { open, record } = await setUp(20, kv);
        const servers = [open(), open(), open()];
        const held = new Set<number>();
        let refused = 0;
        await Promise.all(
          steps.map(async ({ server, release }) => {
            const allocator = servers[server];
            const item = await allocator?.takeAny();
            if (item === undefined) {
              refused++;
              return;
            }
            expect(held.has(item)).toBe(false);
            held.add(item);
            if (!release) return;
            held.delete(item);
            await allocator?.release([item]);
          }),
        );
        // Nothing is refused while there is room.
        if (steps.length <= 20) expect(refused).toBe(0);
        const stored = await record.read();
        const number = [...held].reduce((sum, item) => sum | (1n << BigInt(item)), 0n);
        expect(BigInt(`0x0${Buffer.from(stored.data).toString("hex")}`)).toBe(number);
      },
    ),
    { numRuns: 60 },
  );
});

test("of servers that want the same item one gets it", async () => {
  const { open } = await setUp(8);
  const taken = await Promise.all(Array.from({ length: 6 }, () => open().take(3)));
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test("an item that another server released is not held to be taken", async () => {
  const { open } = await setUp(8);
  const [first, second] = [open(), open()];
  expect(await first.take(3)).toBe(true);
  expect(await second.take(3)).toBe(false);
  await second.release([3]);
  expect(await first.take(3)).toBe(true);
});

test("reserved items are only for who asks for them", async () => {
  const { open } = await setUp(3, new MemoryStore(), 1);
  const allocator = open();
  const any = await Promise.all([allocator.takeAny(), allocator.takeAny(), allocator.takeAny()]);
  expect(new Set(any)).toEqual(new Set([1, 2, undefined]));
  expect(await allocator.take(0)).toBe(true);
  expect(await allocator.has(0)).toBe(true);
});

test("changes that come together are written together", async () => {
  const { open, kv } = await setUp(200);
  const allocator = open();
  await allocator.takeAny();
  const before = (await kv.status()).revision;
  await Promise.all(Array.from({ length: 100 }, () => allocator.takeAny()));
  expect((await kv.status()).revision - before).toBeLessThanOrEqual(2);
});

test("nothing is allocated before the record exists, nor from the record of another range", async () => {
  const kv = new MemoryStore();
  const record = openRecord(kv);
  const allocator = new RangeAllocator({
    record,
    rangeText,
    size: 8,
    random: () => 0,
    resource: "serviceipallocations",
  });
  await expect(allocator.takeAny()).rejects.toThrow(
    "cannot allocate resources of type serviceipallocations at this time",
  );
  await record.write(await record.read(), { rangeText: "10.1.0.0/24", data: new Uint8Array(0) });
  await expect(allocator.take(1)).rejects.toThrow("the provided range does not match the current range");
  await record.write(await record.read(), { rangeText, data: new Uint8Array(0) });
  expect(await allocator.takeAny()).toBe(0);
});

test("the record has Kubernetes' layout, in both encodings", async () => {
  const kv = new MemoryStore();
  for (const mediaType of ["protobuf", "json"] as const) {
    const record = openRecord(kv, mediaType);
    await record.write(await record.read(), { rangeText, data: Uint8Array.of(2, 3) });
    expect(await openRecord(kv).read()).toMatchObject({ rangeText, data: Buffer.of(2, 3) });
  }
  const stored = (await kv.range({ start: key })).kvs[0]?.value ?? new Uint8Array(0);
  expect(JSON.parse(Buffer.from(stored).toString())).toEqual({
    kind: "RangeAllocation",
    apiVersion: "v1",
    metadata: { creationTimestamp: null },
    range: rangeText,
    data: "AgM=",
  });
});

test("a write that failed is not remembered", async () => {
  let isBroken = false;
  const kv = new MemoryStore({
    intercept: (operation) => {
      if (isBroken && operation === "transact") throw new Error("broken");
    },
  });
  const { open } = await setUp(8, kv);
  const allocator = open();
  isBroken = true;
  await expect(allocator.take(2)).rejects.toThrow("broken");
  isBroken = false;
  expect(await allocator.take(2)).toBe(true);
});

test.each([
  ["a cut envelope", Buffer.from("k8s\0\x0a\x0f\x0a\x02v1", "latin1")],
  ["another JSON value", Buffer.from("[]")],
  ["no JSON", Buffer.from("rubbish")],
])("an error about %s names the key", async (_what, value) => {
  const kv = new MemoryStore();
  await kv.transact({ compare: [], success: [{ kind: "put", key, value }], failure: [] });
  await expect(openRecord(kv).read()).rejects.toMatchObject({
    code: "Corrupt",
    message: expect.stringContaining(`unable to decode key "${key}": `),
  });
});

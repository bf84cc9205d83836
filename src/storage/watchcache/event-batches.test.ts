import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { KvEvent } from "../kv.js";
import { toRevision } from "../kv.js";
import { EventBatches, type EventObjects } from "./event-batches.js";

type Objects = EventObjects<object>;

/** Batches whose decoding the test ends. Batches of no events are decoded at once. */
function batchesUnderTest() {
  const decoding: { resolve(): void; reject(error: Error): void }[] = [];
  const log: string[] = [];
  const batches = new EventBatches<object>({
    decode: (events) =>
      events.length === 0
        ? []
        : new Promise<Objects>((resolve, reject) => decoding.push({ resolve: () => resolve([]), reject })),
    apply: (_events, _objects, revision) => log.push(`applied ${revision}`),
    caughtUp: () => log.push("caught up"),
    failed: (error) => log.push(`failed: ${error instanceof Error ? error.message : error}`),
  });
  const events = [{}] as readonly unknown[] as readonly KvEvent[]; // nothing looks into them
  return { decoding, log, batches, events };
}

const turn = () => setImmediate();

test("batches are applied in the order in which they came, although the first takes longer to decode", async () => {
  const { decoding, log, batches, events } = batchesUnderTest();
  batches.take(events, toRevision(1));
  batches.take([], toRevision(2));
  batches.take(events, toRevision(3));
  expect(batches.isBehind).toBe(true);
  decoding[0]?.resolve();
  await turn();
  expect(log).toEqual(["applied 1", "applied 2"]);
  decoding[1]?.resolve();
  await turn();
  expect(log).toEqual(["applied 1", "applied 2", "applied 3", "caught up"]);
  expect(batches.isBehind).toBe(false);
});

test("what was cleared while it was decoded is not applied, and its failure is nobody's", async () => {
  const { decoding, log, batches, events } = batchesUnderTest();
  batches.take(events, toRevision(1));
  batches.clear();
  batches.take(events, toRevision(5));
  decoding[0]?.reject(new Error("no key"));
  decoding[1]?.resolve();
  await turn();
  expect(log).toEqual(["applied 5", "caught up"]);
});

test("a batch that cannot be decoded fails the rest with it", async () => {
  const { decoding, log, batches, events } = batchesUnderTest();
  batches.take(events, toRevision(1));
  batches.take([], toRevision(2));
  decoding[0]?.reject(new Error("no key"));
  await turn();
  expect(log).toEqual(["failed: no key"]);
});

import { expect, test, vi } from "vitest";
import type { EventDestination } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import { BatchingBackend, type BatchingLimits, bufferedBytesMax } from "./batching-backend.js";
import { BlockingBackend } from "./blocking-backend.js";
import { EventEncoder, type TruncationLimits } from "./event-encoder.js";
import { type EventBatch, EventQueue, type EventText } from "./event-queue.js";
import { LogDestination } from "./log/log-destination.js";

/** An event whose bytes are its audit id, and those of its objects. */
function event(auditId: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level: "Request",
    auditId,
    stage: "ResponseComplete",
    requestUri: "/",
    verb: "get",
    user: undefined,
    impersonatedUser: undefined,
    sourceAddresses: [],
    userAgent: "",
    objectRef: undefined,
    responseStatus: undefined,
    requestObject: undefined,
    responseObject: undefined,
    receivedAt: 0,
    stageAt: 0,
    annotations: new Map(),
    ...more,
  };
}

function encode({ auditId, requestObject = [], annotations }: AuditEvent): EventText {
  return [auditId + [...annotations].flat().join("="), ...requestObject];
}

/** The events of a batch without their ends. */
function eventsOf({ pieces, lengths, byteLength }: EventBatch): string[] {
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(byteLength);
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return bytes.toString("utf8", end - length, end - 1);
  });
}

function ground(truncation?: TruncationLimits) {
  const losses: string[] = [];
  const onLoss = (plugin: string, error: unknown, count: number): void => {
    losses.push(`${plugin} ${count}: ${error instanceof Error ? error.message : error}`);
  };
  const encoder = new EventEncoder({ encode, truncation, truncatedAnnotation: "truncated", onLoss });
  const delivered: string[][] = [];
  let answer: () => Promise<void> = async () => {};
  const destination: EventDestination = {
    eventEnd: ",",
    async deliver(batch) {
      delivered.push(eventsOf(batch));
      await answer();
    },
    async close() {},
  };
  const batching = (limits: Partial<BatchingLimits> = {}) =>
    new BatchingBackend({
      name: "webhook",
      encoder,
      destination,
      limits: {
        bufferSize: 10,
        batchSize: 3,
        deliverySize: limits.batchSize ?? 3,
        batchBytesMax: 1000,
        maxWaitMs: 60_000,
        throttle: undefined,
        concurrency: 1,
        ...limits,
      },
      onLoss,
    });
  const blocking = (isStrict: boolean) =>
    new BlockingBackend({ name: "log", encoder, destination, isStrict, onLoss });
  return { losses, delivered, batching, blocking, answerWith: (next: typeof answer) => (answer = next) };
}

test("a whole batch goes at once, the rest when the server stops", async () => {
  const { delivered, batching } = ground();
  const backend = batching();
  for (const id of ["a", "b", "c", "d"]) expect(backend.process(event(id))).toBe(true);
  await expect.poll(() => delivered).toEqual([["a", "b", "c"]]);
  await backend.close();
  expect(delivered).toEqual([["a", "b", "c"], ["d"]]);
});

test("an incomplete batch goes when it has waited long enough", async () => {
  const { delivered, batching } = ground();
  const backend = batching({ maxWaitMs: 20 });
  backend.process(event("a"));
  expect(delivered).toEqual([]);
  await expect.poll(() => delivered).toEqual([["a"]]);
  await backend.close();
});

test("a batch has no more bytes than are allowed, but one event at least", async () => {
  const { delivered, batching } = ground();
  const backend = batching({ batchBytesMax: 5, batchSize: 4 });
  for (const id of ["aaa", "bbb", "long-long", "c"]) backend.process(event(id));
  await backend.close();
  expect(delivered).toEqual([["aaa"], ["bbb"], ["long-long"], ["c"]]);
});

test("several batches go together where a delivery may hold them, but not past a throttle", async () => {
  const { delivered, batching } = ground();
  const joined = batching({ batchSize: 1, deliverySize: 10 });
  for (const id of ["a", "b", "c"]) joined.process(event(id));
  await expect.poll(() => delivered).toEqual([["a", "b", "c"]]);
  const throttled = batching({ batchSize: 1, deliverySize: 10, throttle: { rate: 1000, burst: 10 } });
  for (const id of ["d", "e"]) throttled.process(event(id));
  await expect.poll(() => delivered.slice(1)).toEqual([["d"], ["e"]]);
});

test("what does not fit the buffer is lost and counted; requests go on", async () => {
  const { delivered, losses, batching, answerWith } = ground();
  let release = (): void => {};
  answerWith(() => new Promise((resolve) => (release = resolve)));
  const backend = batching({ batchSize: 1, bufferSize: 2 });
  for (const id of ["a", "b", "c", "d"]) expect(backend.process(event(id))).toBe(true);
  expect(delivered).toEqual([["a"]]);
  expect(losses).toEqual(["buffered 1: audit buffer queue blocked"]);
  answerWith(async () => {});
  release();
  await backend.close();
  expect(delivered).toEqual([["a"], ["b"], ["c"]]);
});

test("long events fill the buffer by their bytes", async () => {
  const { losses, batching, answerWith } = ground();
  let release = (): void => {};
  answerWith(() => new Promise((resolve) => (release = resolve)));
  const backend = batching({ batchSize: 1 });
  const object = Buffer.alloc(bufferedBytesMax / 2);
  for (const id of ["a", "b", "c"]) backend.process(event(id, { requestObject: [object] }));
  expect(losses).toHaveLength(1);
  answerWith(async () => {});
  release();
  await backend.close();
});

test("a batch that cannot be delivered is lost, and the next ones go", async () => {
  const { delivered, losses, batching, answerWith } = ground();
  answerWith(() => Promise.reject(new Error("away")));
  const backend = batching({ batchSize: 2 });
  backend.process(event("a"));
  backend.process(event("b"));
  await expect.poll(() => losses).toEqual(["webhook 2: away"]);
  answerWith(async () => {});
  backend.process(event("c"));
  await backend.close();
  expect(delivered.at(-1)).toEqual(["c"]);
});

test("batches come no faster than the throttle lets them, but for a burst", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "setImmediate"] });
  try {
    const { delivered, batching } = ground();
    const backend = batching({ batchSize: 1, throttle: { rate: 1, burst: 2 } });
    for (const id of ["a", "b", "c", "d"]) backend.process(event(id));
    await vi.advanceTimersByTimeAsync(10);
    expect(delivered).toEqual([["a"], ["b"]]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(delivered).toEqual([["a"], ["b"], ["c"]]);
    await backend.close();
    expect(delivered).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  [false, true],
  [true, false],
])("a blocking backend (strict: %s) waits, and fails requests only when strict", async (isStrict, kept) => {
  const { delivered, losses, blocking, answerWith } = ground();
  const backend = blocking(isStrict);
  expect(await backend.process(event("a"))).toBe(true);
  answerWith(() => Promise.reject(new Error("disk full")));
  expect(await backend.process(event("b"))).toBe(kept);
  expect(delivered).toEqual([["a"], ["b"]]);
  expect(losses).toEqual(["log 1: disk full"]);
});

test("events that are too long lose their objects, and go when that is not enough", async () => {
  const { delivered, losses, blocking } = ground({ eventBytesMax: 20, batchBytesMax: 20 });
  const backend = blocking(true);
  const events = [
    event("short", { requestObject: [Buffer.from("object")] }),
    event("a", { requestObject: [Buffer.alloc(100)] }),
    event("a".repeat(21)),
    event("a".repeat(21), { level: "Metadata" }),
  ];
  // Their requests continue, also strictly.
  for (const each of events) expect(await backend.process(each)).toBe(true);
  expect(delivered).toEqual([["shortobject"], ["atruncated=true"]]);
  expect(losses).toEqual(Array(2).fill("truncate 1: event is too large even after truncating"));
});

test("lines of a log keep their order, and what waits is written at once", async () => {
  const writes: string[][] = [];
  let release = (): void => {};
  const log = new LogDestination({
    async write(lines) {
      writes.push(eventsOf(lines));
      if (writes.length === 1) await new Promise<void>((resolve) => (release = resolve));
      if (writes.length === 2) throw new Error("disk full");
    },
    async close() {},
  });
  const lines = (id: string): EventBatch => {
    const queue = new EventQueue(log.eventEnd);
    queue.add(encode(event(id)));
    return queue.take(1, Number.POSITIVE_INFINITY);
  };
  const first = log.deliver(lines("a"));
  await expect.poll(() => writes).toHaveLength(1);
  const others = Promise.allSettled([log.deliver(lines("b")), log.deliver(lines("c"))]);
  release();
  await first;
  expect((await others).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await log.deliver(lines("d"));
  await log.close();
  expect(writes).toEqual([["a"], ["b", "c"], ["d"]]);
});

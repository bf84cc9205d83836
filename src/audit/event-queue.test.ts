import fc from "fast-check";
import { expect, test } from "vitest";
import { type EventBatch, EventQueue, takeBytes } from "./event-queue.js";

const whole = ({ pieces }: Pick<EventBatch, "pieces">): string => Buffer.concat(pieces).toString("utf8");

test("any events come out in order, in batches within their limits that keep their bytes until they are released", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("é€😀", "x".repeat(10_000), "y".repeat(40_000)),
    fc.uint8Array({ maxLength: 9 }),
  );
  const event = fc.oneof(fc.string({ unit: "grapheme" }), fc.array(piece, { maxLength: 4 }));
  const step = fc.oneof(
    fc.record({ add: event }),
    fc.record({ release: fc.nat() }),
    fc.record({ countMax: fc.integer({ min: 1, max: 4 }), bytesMax: fc.constantFrom(1, 20, Infinity) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const queue = new EventQueue("\n");
      const waiting: Buffer[] = [];
      const taken: { readonly batch: EventBatch; readonly expected: Buffer }[] = [];
      const check = (countMax: number, bytesMax: number): void => {
        const batch = queue.take(countMax, bytesMax);
        const expected = waiting.splice(0, batch.lengths.length);
        taken.push({ batch, expected: Buffer.concat(expected) });
        expect(batch.lengths).toEqual(expected.map(({ length }) => length));
        expect(batch.byteLength).toBe(expected.reduce((bytes, { length }) => bytes + length, 0));
        expect(batch.lengths.length).toBeLessThanOrEqual(countMax);
        const [next] = waiting;
        if (batch.lengths.length > 1) expect(batch.byteLength).toBeLessThanOrEqual(bytesMax);
        const fits = next !== undefined && batch.byteLength + next.length <= bytesMax;
        if (fits) expect(batch.lengths).toHaveLength(countMax);
        expect(queue.length).toBe(waiting.length);
      };
      const release = (index: number): void => {
        for (const { batch, expected } of taken.splice(index, 1)) {
          expect(Buffer.concat(batch.pieces).equals(expected)).toBe(true);
          queue.release(batch);
        }
      };
      for (const each of steps) {
        if ("add" in each) {
          const pieces = typeof each.add === "string" ? [each.add] : each.add;
          const bytes = Buffer.concat([...pieces, "\n"].map((text) => Buffer.from(text)));
          expect(queue.add(each.add)).toBe(bytes.length);
          waiting.push(bytes);
        } else if ("release" in each) {
          release(each.release % (taken.length + 1));
        } else {
          check(each.countMax, each.bytesMax);
        }
      }
      check(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      while (taken.length > 0) release(0);
    }),
  );
});

test("the text of many events is one piece", () => {
  const queue = new EventQueue("\n");
  for (let index = 0; index < 100; index++) queue.add(`event ${index}`);
  expect(queue.take(50, Number.POSITIVE_INFINITY).pieces).toHaveLength(1);
  expect(queue.take(50, Number.POSITIVE_INFINITY).pieces).toHaveLength(1);
});

test("the bytes of objects are not copied", () => {
  const queue = new EventQueue("\n");
  const object = Buffer.from("{}");
  queue.add(["before", object, "after"]);
  const batch = queue.take(1, 1);
  expect(batch.pieces[1]).toBe(object);
  expect(whole(batch)).toBe("before{}after\n");
});

test("bytes are taken from pieces and within them", () => {
  const pieces: Uint8Array[] = [Buffer.from("abc"), Buffer.from(""), Buffer.from("de")];
  expect(whole({ pieces: takeBytes(pieces, 4) })).toBe("abcd");
  expect(whole({ pieces })).toBe("e");
  expect(whole({ pieces: takeBytes(pieces, 9) })).toBe("e");
  expect(pieces).toEqual([]);
});

test("the memory of released events is used again", () => {
  const queue = new EventQueue("\n");
  const memory = new Set<ArrayBufferLike>();
  const turn = (): void => {
    const batches = Array.from({ length: 10 }, () => {
      for (let index = 0; index < 100; index++) queue.add("event".repeat(100));
      return queue.take(100, Number.POSITIVE_INFINITY);
    });
    for (const batch of batches) {
      for (const piece of batch.pieces) memory.add(piece.buffer);
      queue.release(batch);
    }
  };
  turn();
  const { size } = memory;
  for (let index = 0; index < 10; index++) turn();
  expect(memory.size).toBeLessThanOrEqual(size + 1);
});

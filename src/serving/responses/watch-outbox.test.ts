import { expect, test, vi } from "vitest";
import { WatchOutbox } from "./watch-outbox.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("streams are flushed after the turn that added them, once for each time they were added", async () => {
  const outbox = new WatchOutbox();
  const order: string[] = [];
  const stream = (name: string) => ({ flush: () => order.push(name) === 0 });
  outbox.add(stream("a"));
  outbox.add(stream("b"));
  expect(order).toEqual([]);
  await turn();
  expect(order).toEqual(["a", "b"]);
  await turn();
  expect(order).toEqual(["a", "b"]);
});

test("a long round gives way to other work and goes on where it stopped", async () => {
  // Each flush takes a millisecond of this clock.
  let clock = 0;
  const outbox = new WatchOutbox({ now: () => clock });
  const flushed: number[] = [];
  for (let i = 0; i < 100; i++) {
    outbox.add({
      flush: () => {
        clock++;
        flushed.push(i);
        return false;
      },
    });
  }
  const seen: number[] = [];
  while (flushed.length < 100) {
    await turn();
    seen.push(flushed.length);
  }
  expect(seen.length).toBeGreaterThan(5);
  expect(Math.max(...seen.map((n, i) => n - (seen[i - 1] ?? 0)))).toBeLessThanOrEqual(8);
  expect(flushed).toEqual(Array.from({ length: 100 }, (_, i) => i));
});

test("a stream added while others are flushed waits for the next turn", async () => {
  const outbox = new WatchOutbox();
  const late = vi.fn(() => false);
  outbox.add({
    flush: () => {
      outbox.add({ flush: late });
      return false;
    },
  });
  await turn();
  expect(late).not.toHaveBeenCalled();
  await turn();
  expect(late).toHaveBeenCalledTimes(1);
});

test("slices become shorter while turns take long, and recover", async () => {
  let clock = 0;
  let afterwards = 0;
  const outbox = new WatchOutbox({ now: () => clock });
  let flushed = 0;
  const turns: number[] = [];
  const fill = async (): Promise<void> => {
    flushed = 0;
    for (let i = 0; i < 400; i++) {
      outbox.add({
        flush: () => {
          clock += 0.0625;
          flushed++;
          return false;
        },
      });
    }
    for (let before = 0; flushed < 400; before = flushed) {
      await turn();
      turns.push(flushed - before);
      // What the slice has put off: so much for each stream.
      clock += (flushed - before) * afterwards;
    }
  };
  await fill();
  expect(turns[0]).toBe(32);
  afterwards = 1;
  await fill();
  expect(turns.at(-2)).toBe(5);
  afterwards = 0;
  for (let round = 0; round < 3; round++) await fill();
  expect(turns.at(-2)).toBe(32);
});

test("what was added is flushed on demand ahead of a long round, and the rest joins the round", async () => {
  let clock = 0;
  const outbox = new WatchOutbox({ now: () => clock });
  const order: string[] = [];
  const add = (name: string, isDeferred: boolean): void =>
    outbox.add({
      flush: () => {
        clock += 0.5;
        order.push(name);
        return isDeferred;
      },
    });
  expect(outbox.flush()).toBe(false);
  for (let i = 0; i < 10; i++) add(`long ${i}`, false);
  await turn();
  expect(order.splice(0)).toEqual(["long 0", "long 1", "long 2", "long 3"]);
  for (const name of "abcdefg") add(name, false);
  add("h", true);
  add("i", true);
  expect(outbox.flush()).toBe(true);
  expect(order.splice(0)).toEqual([..."abcdefgh"]);
  add("j", false);
  expect(outbox.flush()).toBe(false);
  expect(order.splice(0)).toEqual(["j"]);
  while (order.length < 7) await turn();
  expect(order).toEqual(["long 4", "long 5", "long 6", "long 7", "long 8", "long 9", "i"]);
  await turn();
  expect(order).toHaveLength(7);
});

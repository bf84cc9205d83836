import { expect, test, vi } from "vitest";
import { WatchOutbox } from "./watch-outbox.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("streams are flushed after the turn that added them, once for each time they were added", async () => {
  const outbox = new WatchOutbox();
  const order: string[] = [];
  outbox.add({ flush: () => order.push("a") });
  outbox.add({ flush: () => order.push("b") });
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
  const late = vi.fn();
  outbox.add({ flush: () => outbox.add({ flush: late }) });
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

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

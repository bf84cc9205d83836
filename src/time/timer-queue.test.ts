import { expect, test } from "vitest";
import { type Timer, TimerQueue } from "./timer-queue.js";

/** A generator of numbers below 1 that repeats itself with its seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test.each([1, 2, 3])("gives what is left in the order of time, then of addition (seed %i)", (seed) => {
  const random = seeded(seed);
  const queue = new TimerQueue();
  let model: { dueMs: number; id: number; timer: Timer }[] = [];
  const called: number[] = [];
  const expected: number[] = [];
  let now = 0;
  for (let id = 0; id < 3000; id++) {
    const dueMs = now + Math.floor(random() * 50);
    model.push({ dueMs, id, timer: queue.add(dueMs, () => void called.push(id)) });
    if (random() < 0.4) {
      const [removed] = model.splice(Math.floor(random() * model.length), 1);
      if (removed !== undefined) queue.cancel(removed.timer);
    }
    if (random() < 0.2) {
      now += 10;
      const due = model.filter((each) => each.dueMs <= now).sort((a, b) => a.dueMs - b.dueMs || a.id - b.id);
      expected.push(...due.map((each) => each.id));
      model = model.filter((each) => each.dueMs > now);
      for (let timer = queue.take(now); timer !== undefined; timer = queue.take(now)) timer.callback();
      expect(queue.nextMs).toBe(
        model.length === 0 ? undefined : Math.min(...model.map((each) => each.dueMs)),
      );
    }
  }
  expect(called).toEqual(expected);
});

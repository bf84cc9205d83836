import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Clock, systemClock } from "../time/clock.js";
import { ManualClock } from "../time/manual-clock.js";
import { WorkQueue } from "./work-queue.js";

test("a key added while it is worked on is worked on once more, never at the same time", async () => {
  let running = 0;
  let runs = 0;
  const gates: (() => void)[] = [];
  const queue = new WorkQueue<string>({
    workers: 2,
    onFailure() {},
    async work() {
      runs++;
      expect(++running).toBe(1);
      await new Promise<void>((resolve) => gates.push(resolve));
      running--;
    },
  });
  queue.add("a");
  queue.add("a");
  queue.add("a");
  await expect.poll(() => gates.length).toBe(1);
  gates[0]?.();
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.();
  await expect.poll(() => running).toBe(0);
  expect(runs).toBe(2);
  await queue.close();
});

test("a failure is reported and retried", async () => {
  const failures: string[] = [];
  let runs = 0;
  const queue = new WorkQueue<string>({
    workers: 1,
    onFailure: (key, error) => failures.push(`${key}: ${String(error)}`),
    async work() {
      if (++runs < 3) throw new Error("not yet");
    },
  });
  queue.add("a");
  await expect.poll(() => runs).toBe(3);
  expect(failures).toEqual(["a: Error: not yet", "a: Error: not yet"]);
  await queue.close();
});

test("closing waits for running work and accepts no more", async () => {
  let done = false;
  const queue = new WorkQueue<string>({
    workers: 1,
    onFailure() {},
    async work() {
      await new Promise((resolve) => setTimeout(resolve, 10));
      done = true;
    },
  });
  queue.add("a");
  const closed = queue.close();
  queue.add("b");
  await closed;
  expect(done).toBe(true);
});

test("the event loop goes on while very many keys are worked on that wait for nothing", async () => {
  const keys = 200_000;
  let done = 0;
  const queue = new WorkQueue<number>({
    work: async () => void done++,
    workers: 8,
    onFailure: () => undefined,
  });
  for (let key = 0; key < keys; key++) queue.add(key);
  await setImmediate();
  await setImmediate();
  expect(done).toBeLessThan(keys);
  await expect.poll(() => done).toBe(keys);
  await queue.close();
});

test("a key comes at the earliest time that was set, by the clock that it was given", async () => {
  const clock = new ManualClock();
  const done: string[] = [];
  const queue = new WorkQueue<string>({
    clock,
    workers: 1,
    onFailure() {},
    work: async (key) => void done.push(key),
  });
  const now = clock.now();
  queue.addAt("a", now + 60_000);
  queue.addAt("a", now + 90_000);
  queue.addAt("b", now + 90_000);
  queue.addAt("b", now + 30_000);
  queue.addAt("forgotten", now + 10_000);
  queue.forget("forgotten");
  await clock.advance(30_000);
  await expect.poll(() => done).toEqual(["b"]);
  await clock.advance(30_000);
  await expect.poll(() => done).toEqual(["b", "a"]);
  await clock.advance(60_000);
  queue.addAt("a", clock.now() + 1000);
  await queue.close();
  await clock.advance(1000);
  expect(done).toEqual(["b", "a"]);
});

test("a timer that is early does not bring a key early", async () => {
  const clock = new ManualClock();
  const early: Clock = {
    ...systemClock,
    now: () => clock.now(),
    schedule: (delayMs, callback) => clock.schedule(delayMs > 1 ? delayMs - 1 : delayMs, callback),
  };
  const times: number[] = [];
  const queue = new WorkQueue<string>({
    clock: early,
    workers: 1,
    onFailure() {},
    work: async () => void times.push(clock.now()),
  });
  const at = clock.now() + 10;
  queue.addAt("a", at);
  await clock.advance(9);
  await clock.advance(1);
  await expect.poll(() => times).toEqual([at]);
  await queue.close();
});

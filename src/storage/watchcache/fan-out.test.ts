import { expect, test } from "vitest";
import { settle } from "../testing/recorded-sink.js";
import { FanOut } from "./fan-out.js";

test("tasks that do not finish take turns, each in its own order", async () => {
  const fanOut = new FanOut();
  const log: string[] = [];
  const task = (name: string, steps: number) => {
    let step = 0;
    return {
      run(): boolean {
        log.push(`${name}${++step}`);
        return step === steps;
      },
    };
  };
  fanOut.add(task("a", 3));
  fanOut.add(task("b", 1));
  fanOut.add(task("c", 2));
  expect(log).toEqual([]);
  await settle();
  expect(log).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
});

test("a task may add itself, be added twice, or be removed", async () => {
  const fanOut = new FanOut();
  let runs = 0;
  const again = {
    run(): boolean {
      if (++runs < 3) fanOut.add(again);
      return true;
    },
  };
  const removed = {
    run(): boolean {
      throw new Error("was removed");
    },
  };
  fanOut.add(again);
  fanOut.add(again);
  fanOut.add(removed);
  fanOut.remove(removed);
  await settle();
  expect(runs).toBe(3);
});

test("long work is spread over turns of the event loop", async () => {
  const fanOut = new FanOut();
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns++;
    if (counting) setImmediate(count);
  };
  let pieces = 0;
  const finished = new Promise<void>((resolve) => {
    fanOut.add({
      run(expired): boolean {
        while (pieces < 50) {
          const end = performance.now() + 1;
          while (performance.now() < end);
          pieces++;
          if (expired()) return false;
        }
        resolve();
        return true;
      },
    });
  });
  setImmediate(count);
  await finished;
  counting = false;
  // 50 ms of work never fit one slice.
  expect(turns).toBeGreaterThan(1);
});

test("events are delivered and sent before those who wait for their writes go on", async () => {
  const fanOut = new FanOut();
  const log: string[] = [];
  fanOut.sendBy(() => {
    log.push("sent");
    return false;
  });
  const group = (name: string) => ({ run: () => log.push(name) > 0 });
  const written = (async () => {
    await Promise.resolve();
    // Applied by a commit, which then settles its writes.
    fanOut.deliver(group("a"));
    fanOut.deliver(group("b"));
  })();
  await written;
  log.push("answered");
  expect(log).toEqual(["a", "b", "sent", "answered"]);
  expect(fanOut.leaving).toBeUndefined();
});

test("what leaves at the end of the turn can be waited for", async () => {
  const fanOut = new FanOut();
  fanOut.sendBy(() => true);
  fanOut.deliver({ run: () => true });
  await Promise.resolve();
  const { leaving } = fanOut;
  let left = false;
  void leaving?.then(() => {
    left = true;
  });
  await Promise.resolve();
  expect(left).toBe(false);
  await settle();
  expect(left).toBe(true);
  expect(fanOut.leaving).toBeUndefined();
});

test("a delivery that does not fit its slice goes on in later turns, and new events join it", async () => {
  const fanOut = new FanOut();
  let runs = 0;
  const slow = {
    run(expired: () => boolean): boolean {
      const end = performance.now() + 4;
      while (performance.now() < end || !expired());
      return ++runs === 3;
    },
  };
  fanOut.deliver(slow);
  await Promise.resolve();
  expect(runs).toBe(1);
  fanOut.deliver(slow);
  await Promise.resolve();
  expect(runs).toBe(1);
  await expect.poll(() => runs).toBe(3);
});

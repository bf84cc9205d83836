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

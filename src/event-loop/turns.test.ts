import { access } from "node:fs";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { LoopTurns } from "./loop-turns.js";
import type { TakesTurns } from "./turn-queue.js";
import { Turns } from "./turns.js";

/** A clock that work advances, and a record of which work ran in each round of the event loop. */
function startWork() {
  let nowMs = 1000;
  const rounds: { ms: number; by: string[] }[] = [{ ms: 0, by: [] }];
  let isDone = false;
  const nextRoundBegins = (): void => {
    rounds.push({ ms: 0, by: [] });
    if (!isDone) setImmediate(nextRoundBegins);
  };
  setImmediate(nextRoundBegins);
  const now = (): number => nowMs;
  const loop = new LoopTurns(now);
  const queue = loop.work;
  return {
    loop,
    queue,
    turns: () => new Turns(undefined, queue, now),
    work(ms: number, by = ""): void {
      nowMs += ms;
      const round = rounds.at(-1);
      if (round === undefined) return;
      round.ms += ms;
      round.by.push(by);
    },
    end() {
      isDone = true;
      return rounds.filter(({ ms }) => ms > 0);
    },
  };
}

test("long steps of many hold the loop no longer than one of them", async () => {
  const { queue, work, end } = startWork();
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 5; step++) {
      await queue.take();
      work(30);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  const rounds = end();
  expect(rounds.map(({ ms }) => ms)).toEqual(Array.from({ length: 100 }, () => 30));
});

test.each([
  [30, ["immediates", "next immediates", "step"]],
  [5, ["immediates", "step", "next immediates"]],
])("after %i ms of work that input began, a step runs so: %j", async (ms, order) => {
  const { loop, queue, work } = startWork();
  const ran: string[] = [];
  // Its callback belongs to input and output, which come before the immediates.
  await new Promise((resolve) => access(".", resolve));
  setImmediate(() => {
    ran.push("immediates");
    setImmediate(() => ran.push("next immediates"));
  });
  loop.isRoundOver();
  work(ms);
  await queue.take();
  ran.push("step");
  await nextRound();
  await nextRound();
  expect(ran).toEqual(order);
});

test("short steps share a round, and at most one begins before its time is over and ends after it", async () => {
  const { queue, work, end } = startWork();
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 10; step++) {
      await queue.take();
      work(2);
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  const rounds = end();
  expect(rounds.reduce((sum, { ms }) => sum + ms, 0)).toBe(200);
  expect(Math.max(...rounds.map(({ ms }) => ms))).toBe(4);
  expect(rounds).toHaveLength(200 / 4);
});

test("a step counts with all that follows of it without waiting", async () => {
  const { queue, work, end } = startWork();
  const worker = async (): Promise<void> => {
    await queue.take();
    for (let part = 0; part < 10; part++) {
      work(2);
      await Promise.resolve();
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  expect(end().map(({ ms }) => ms)).toEqual([20, 20, 20]);
});

test("waiting users take turns, even if one has more to do", async () => {
  const { queue, work, end } = startWork();
  const worker = async (name: string, steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      await queue.take();
      work(10, name);
    }
  };
  await Promise.all([worker("long", 6), worker("short", 2), worker("other", 1)]);
  const order = end().flatMap(({ by }) => by);
  expect(order).toEqual(["long", "short", "other", "long", "short", "long", "long", "long", "long"]);
});

test("flows take turns, however many steps of one are waiting", async () => {
  const { queue, work, end } = startWork();
  const worker = async (flow: string): Promise<void> => {
    for (let step = 0; step < 2; step++) {
      await queue.take(flow);
      work(10, flow);
    }
  };
  const greedy = Array.from({ length: 4 }, () => worker("greedy"));
  await Promise.all([...greedy, worker("polite"), worker("other")]);
  const order = end().flatMap(({ by }) => by);
  expect(order.slice(0, 6)).toEqual(["greedy", "polite", "other", "greedy", "polite", "other"]);
  expect(order.slice(6)).toEqual(Array.from({ length: 6 }, () => "greedy"));
});

test("requests come before ends, those before other work, and each has at least one step in a round", async () => {
  const { loop, work, end } = startWork();
  const worker = async (queue: TakesTurns, by: string, ms: number): Promise<void> => {
    for (let step = 0; step < 3; step++) {
      await queue.take();
      work(ms, by);
    }
  };
  await Promise.all([
    worker(loop.work, "work", 1),
    worker(loop.ends, "end", 1),
    worker(loop.requests, "request", 1),
  ]);
  expect(end().map(({ by }) => by)).toEqual([
    ["request", "request", "end", "work"],
    ["request", "end", "work"],
    ["end", "work"],
  ]);
});

test("time spent without a turn is lost to those who wait", async () => {
  const { loop, queue, work, end } = startWork();
  let isWorking = true;
  const events = async (): Promise<void> => {
    while (isWorking) {
      await nextRound();
      loop.spent(2);
    }
  };
  const sending = events();
  for (let step = 0; step < 4; step++) {
    await queue.take();
    work(1);
  }
  isWorking = false;
  await sending;
  expect(end().map(({ ms }) => ms)).toEqual([1, 1, 1, 1]);
});

test("input has a round after each step", async () => {
  const { queue, work, end } = startWork();
  let isWorking = true;
  let handled = 0;
  const input = async (): Promise<void> => {
    while (isWorking) {
      await nextRound();
      handled++;
    }
  };
  const listening = input();
  for (let step = 0; step < 10; step++) {
    await queue.take();
    work(30);
  }
  isWorking = false;
  await listening;
  end();
  expect(handled).toBeGreaterThanOrEqual(10);
});

test("a step that fails does not keep others from theirs", async () => {
  const { queue, work, end } = startWork();
  const failing = queue.take().then(() => {
    throw new Error("this one");
  });
  const other = queue.take().then(() => work(1));
  await expect(failing).rejects.toThrow("this one");
  await other;
  expect(end()).toHaveLength(1);
});

test("small steps take a turn when their time is over", async () => {
  const { turns, work, end } = startWork();
  const own = turns();
  for (let step = 0; step < 20; step++) {
    work(1);
    await own.step();
  }
  const rounds = end();
  expect(rounds.reduce((sum, { ms }) => sum + ms, 0)).toBe(20);
  expect(Math.max(...rounds.map(({ ms }) => ms))).toBeLessThanOrEqual(6);
});

test("steps that take no time take no turn", async () => {
  const { turns, end } = startWork();
  const own = turns();
  for (let step = 0; step < 1000; step++) await own.step();
  expect(own.isOver()).toBe(false);
  end();
});

test("a turn that is no longer wanted rejects with the signal's reason", async () => {
  const { turns, end } = startWork();
  const reason = new Error("gone");
  await expect(turns().next(AbortSignal.abort(reason))).rejects.toBe(reason);
  end();
});

test("a round that has lasted long is over, until the next begins", async () => {
  let nowMs = 1000;
  const clock = new LoopTurns(() => nowMs);
  nowMs += 50;
  // When the round began is unknown.
  expect(clock.isRoundOver()).toBe(false);
  nowMs += 1;
  expect(clock.isRoundOver()).toBe(false);
  nowMs += 5;
  expect(clock.isRoundOver()).toBe(true);
  await Promise.resolve();
  expect(clock.isRoundOver()).toBe(true);
  await nextRound();
  expect(clock.isRoundOver()).toBe(false);
});

import { expect, test } from "vitest";
import { Turns } from "./turns.js";

/** A clock that work moves, and what was worked in each turn of the event loop. */
function startWork() {
  let nowMs = 1000;
  const workedMs: number[] = [0];
  let isDone = false;
  const nextTurn = (): void => {
    workedMs.push(0);
    if (!isDone) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  return {
    turns: new Turns(() => nowMs),
    work(ms: number): void {
      nowMs += ms;
      workedMs.push((workedMs.pop() ?? 0) + ms);
    },
    end(): readonly number[] {
      isDone = true;
      return workedMs;
    },
  };
}

test("work of any length lets others have their turn", async () => {
  const { turns, work, end } = startWork();
  for (let step = 0; step < 20; step++) {
    work(2);
    await turns.step();
  }
  const worked = end();
  expect(Math.max(...worked)).toBeLessThanOrEqual(6);
  expect(worked.reduce((sum, each) => sum + each)).toBe(40);
});

test("many who work at once share the time of a turn", async () => {
  const { turns, work, end } = startWork();
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 10; step++) {
      await turns.step();
      work(1);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  // One step of each may be under way when the time is over; alone, each would take 5 ms.
  expect(Math.max(...end())).toBeLessThanOrEqual(5 + 20);
});

test("steps that take no time take one turn", async () => {
  const { turns, end } = startWork();
  for (let step = 0; step < 1000; step++) await turns.step();
  expect(end().length).toBeLessThan(5);
});

import { expect, test } from "vitest";
import { awaiting, stepsInTurns, type WaitingSteps } from "./steps.js";

const noTurn = (): undefined => undefined;

test("steps wait for a promise and go on with its value", async () => {
  const seen: string[] = [];
  function* steps(): WaitingSteps<string> {
    yield;
    const one = yield* awaiting(Promise.resolve("one"));
    seen.push(one);
    return one + (yield* awaiting(new Promise<string>((resolve) => setImmediate(() => resolve(" two")))));
  }
  expect(await stepsInTurns(steps(), noTurn)).toBe("one two");
  expect(seen).toEqual(["one"]);
});

test("steps end where what they wait for rejects", async () => {
  let isResumed = false;
  function* steps(): WaitingSteps<void> {
    yield* awaiting(Promise.reject(new Error("no")));
    isResumed = true;
  }
  await expect(stepsInTurns(steps(), noTurn)).rejects.toThrow("no");
  expect(isResumed).toBe(false);
});

import { expect, test } from "vitest";
import { waiting } from "./fault-engine.js";

test("a delay of more than 24.8 days does not end at once", async () => {
  const abort = new AbortController();
  let isOver = false;
  const wait = waiting(2 ** 40, abort.signal).then(() => {
    isOver = true;
  });
  // A timer that is too long for Node.js fires after a millisecond, before these.
  await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  abort.abort();
  await wait;
});

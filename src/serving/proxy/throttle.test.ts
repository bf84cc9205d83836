import { once } from "node:events";
import { expect, test } from "vitest";
import { Throttle } from "./throttle.js";

test("bytes pass in order, no faster than allowed", async () => {
  const throttle = new Throttle(10_000);
  const sent = Buffer.from(Array.from({ length: 2000 }, (_, i) => i % 256));
  const start = performance.now();
  throttle.write(sent.subarray(0, 1500));
  throttle.end(sent.subarray(1500));
  const received: Buffer[] = [];
  for await (const piece of throttle) received.push(piece);
  expect(Buffer.concat(received).equals(sent)).toBe(true);
  // 2000 bytes at 10,000 a second. Timers may fire a millisecond early.
  expect(performance.now() - start).toBeGreaterThan(190 - received.length);
});

test("fewer bytes a second than steps pass one by one", async () => {
  const throttle = new Throttle(10);
  throttle.write("ab");
  expect((await once(throttle, "data"))[0].toString()).toBe("a");
  throttle.destroy();
});

test("it can be destroyed while it holds bytes back", async () => {
  const throttle = new Throttle(1);
  throttle.write("abc");
  throttle.destroy();
  await once(throttle, "close");
});

import { expect, test } from "vitest";
import { WorkMeter } from "./work-meter.js";

test("what a thread has used before a piece of work does not count", () => {
  let used = 500;
  const meter = new WorkMeter((thread) => (thread === 7 ? used : undefined));
  meter.measure(7);
  used = 530;
  expect(meter.usedMs).toBe(30);
  meter.begin();
  expect(meter.usedMs).toBe(0);
  used = 540;
  expect(meter.usedMs).toBe(10);
});

test("nothing is known of a thread that has not told its number, nor of one that has ended", () => {
  let isRunning = true;
  const meter = new WorkMeter(() => (isRunning ? 1 : undefined));
  meter.begin();
  expect(meter.usedMs).toBeUndefined();
  meter.measure(7);
  expect(meter.usedMs).toBe(0);
  isRunning = false;
  expect(meter.usedMs).toBeUndefined();
});

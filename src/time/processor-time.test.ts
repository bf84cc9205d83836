import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { processorMsOf, systemThread } from "./processor-time.js";

const onLinux = test.runIf(process.platform === "linux");

onLinux("the processor time of a thread grows while it computes", () => {
  const thread = systemThread();
  if (thread === undefined) throw new Error("Linux numbers its threads");
  const before = processorMsOf(thread) ?? Number.NaN;
  const until = before + 30;
  while ((processorMsOf(thread) ?? Number.NaN) < until) JSON.parse("[1,2,3]");
  expect(processorMsOf(thread)).toBeGreaterThanOrEqual(until);
});

onLinux("each thread has its own", async () => {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     const number = require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1);
     parentPort.on("message", () => process.exit());
     parentPort.postMessage(Number(number));`,
    { eval: true },
  );
  const thread = await new Promise<number>((resolve) => worker.once("message", resolve));
  expect(thread).not.toBe(systemThread());
  expect(processorMsOf(thread)).toBeGreaterThanOrEqual(0);
  worker.postMessage("end");
  await new Promise((resolve) => worker.once("exit", resolve));
  await expect.poll(() => processorMsOf(thread)).toBeUndefined();
});

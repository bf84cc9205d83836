import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Logger } from "../../telemetry/logger.js";
import { silentLog } from "../../telemetry/testing/silent-log.js";
import { type Allocator, loadAllocator } from "./allocator.js";
import { IdleTrim } from "./idle-trim.js";

const log: Logger = { ...silentLog, error: vi.fn() };
const giveBack = vi.fn(() => Promise.resolve());
const collect = vi.fn();
const load = vi.fn(() => Promise.resolve<Allocator | undefined>({ giveBack }));
const mb = 1024 * 1024;
let usedMs = 0;
let heldBytes = 0;
let running: IdleTrim | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  usedMs = 0;
  heldBytes = 100 * mb;
  running = new IdleTrim({ load, usedMs: () => usedMs, collect, heldBytes: () => heldBytes, log });
});

afterEach(() => {
  running?.stop();
  vi.useRealTimers();
});

async function rest(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
}

async function work(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    await rest(1);
    usedMs += 300;
  }
}

test("memory is returned to the system after half a minute without work", async () => {
  await rest(25);
  expect(giveBack).not.toHaveBeenCalled();
  await rest(10);
  expect(giveBack).toHaveBeenCalledTimes(1);
});

test("a busy server keeps it for reuse", async () => {
  await work(600);
  expect(giveBack).not.toHaveBeenCalled();
});

test("a few trims follow work, none follow idleness", async () => {
  await rest(3600);
  expect(giveBack).toHaveBeenCalledTimes(4);
  await work(10);
  await rest(3600);
  expect(giveBack).toHaveBeenCalledTimes(8);
  expect(load).toHaveBeenCalledTimes(1);
});

test("what a quiet server collects is given back at once", async () => {
  await rest(80);
  expect(giveBack).toHaveBeenCalledTimes(2);
  heldBytes -= 20 * mb;
  await rest(5);
  expect(giveBack).toHaveBeenCalledTimes(3);
  heldBytes -= 1 * mb;
  await rest(5);
  expect(giveBack).toHaveBeenCalledTimes(3);
});

test("garbage is collected before all trims but the first", async () => {
  await rest(55);
  expect(collect).not.toHaveBeenCalled();
  await rest(5);
  expect(collect).toHaveBeenCalledTimes(1);
  expect(giveBack).toHaveBeenCalledTimes(1);
  await rest(5);
  expect(giveBack).toHaveBeenCalledTimes(2);
  await rest(3600);
  expect(collect).toHaveBeenCalledTimes(3);
  expect(giveBack).toHaveBeenCalledTimes(4);
});

test("garbage is collected also where memory cannot be given back", async () => {
  load.mockResolvedValueOnce(undefined);
  await rest(3600);
  expect(collect).toHaveBeenCalledTimes(3);
});

test("what is collected right after work waits for the first trim", async () => {
  await work(10);
  heldBytes -= 20 * mb;
  await rest(20);
  expect(giveBack).not.toHaveBeenCalled();
});

test("work begins the wait anew", async () => {
  await rest(20);
  await work(10);
  await rest(20);
  expect(giveBack).not.toHaveBeenCalled();
  await rest(20);
  expect(giveBack).toHaveBeenCalledTimes(1);
});

test("where memory cannot be returned to the system, no further trim is tried", async () => {
  load.mockResolvedValueOnce(undefined);
  await rest(3600);
  await work(10);
  await rest(3600);
  expect(load).toHaveBeenCalledTimes(1);
  expect(log.error).not.toHaveBeenCalled();
});

test("a failed trim is reported once", async () => {
  giveBack.mockRejectedValueOnce(new Error("no"));
  await rest(3600);
  expect(giveBack).toHaveBeenCalledTimes(1);
  expect(log.error).toHaveBeenCalledTimes(1);
});

test.runIf(isGlibc())("the allocator of the C library is found", async () => {
  vi.useRealTimers();
  const allocator = await loadAllocator();
  expect(allocator).toBeDefined();
  await allocator?.giveBack();
});

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }; // documented as `object`
  return header.glibcVersionRuntime !== undefined;
}

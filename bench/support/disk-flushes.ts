import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Appends of 2 KB per second, each flushed, on the disk of `directory`: no durable write can beat it without sharing flushes.
 */
export function flushesPerSecond(directory: string): number {
  const path = join(directory, "flush");
  const file = openSync(path, "w");
  const block = Buffer.alloc(2048, 1);
  const rounds = 500;
  const start = performance.now();
  for (let round = 0; round < rounds; round++) {
    writeSync(file, block);
    fdatasyncSync(file);
  }
  const elapsedMs = performance.now() - start;
  closeSync(file);
  rmSync(path);
  return Math.round((rounds / elapsedMs) * 1000);
}

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Revision, toRevision } from "../kv.js";
import { RevisionReader } from "./revision-reader.js";

test("callers during a read share the next one", async () => {
  const reads: { resolve: (revision: Revision) => void; reject: (reason: unknown) => void }[] = [];
  const reader = new RevisionReader(
    () => new Promise<Revision>((resolve, reject) => reads.push({ resolve, reject })),
  );
  const first = reader.read();
  const second = reader.read();
  const third = reader.read();
  expect(reads.length).toBe(1);
  reads[0]?.resolve(toRevision(5));
  expect(await first).toBe(5);
  await setImmediate();
  expect(reads.length).toBe(2);
  const fourth = reader.read();
  reads[1]?.reject(new Error("failed"));
  await expect(second).rejects.toThrow("failed");
  await expect(third).rejects.toThrow("failed");
  await setImmediate();
  reads[2]?.resolve(toRevision(7));
  expect(await fourth).toBe(7);
  expect(reads.length).toBe(3);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Operation } from "../kv.js";
import { DurableTables } from "./durable-tables.js";
import { openEmbeddedStore } from "./embedded-store.js";
import { writesOf } from "./transaction-writes.js";

test("no put writes more than its estimate", async () => {
  const directory = mkdtempSync(join(tmpdir(), "writes-"));
  const store = await openEmbeddedStore({ directory });
  const commit = vi.spyOn(DurableTables.prototype, "commit");
  try {
    const [first, second] = [await store.grantLease(1000), await store.grantLease(1000)];
    const value = Buffer.from("x");
    const puts: readonly Operation[] = [
      { kind: "put", key: "/a", value },
      { kind: "put", key: "/a", value: Buffer.alloc(5000), lease: first },
      { kind: "put", key: "/a", value, lease: second },
      { kind: "put", key: "/\u20ac\u0000".repeat(100), value },
    ];
    for (const put of puts) {
      const transaction = { compare: [], success: [put], failure: [] };
      await store.transact(transaction);
      const written = commit.mock.lastCall?.[0].writes ?? [];
      const bytes = written.reduce((sum, write) => sum + (write.value?.length ?? 0), 0);
      const scattered = written.filter(({ table }) => table !== "history").length;
      expect(bytes).toBeGreaterThan(put.kind === "put" ? put.value.length : 0);
      expect(writesOf(transaction)?.bytes).toBeGreaterThanOrEqual(bytes);
      expect(writesOf(transaction)?.scattered).toBeGreaterThanOrEqual(scattered);
    }
  } finally {
    commit.mockRestore();
    await store.close();
    rmSync(directory, { recursive: true });
  }
});

test("a transaction that deletes a range has no estimate", () => {
  const range = { start: "/a", end: "/b" };
  expect(writesOf({ compare: [], success: [{ kind: "delete", range }], failure: [] })).toBeUndefined();
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { clientBinaries } from "./client-binaries.js";

/** What all processes of a run of tests find, and those that they start. */
export function setup({ vitest }: TestProject): () => void {
  // Node.js reads further authorities at each start, which takes longer than the rest of a start.
  delete process.env.NODE_EXTRA_CA_CERTS;
  // Where they share the keys of servers.
  const keys = mkdtempSync(join(tmpdir(), "keys-of-run-"));
  process.env.TEST_RUN_KEYS = keys;
  // Their processes start at the same moment, and each would unpack the clients. Unit tests need none.
  if (vitest.projects.some(({ name }) => name !== "unit")) clientBinaries();
  return () => rmSync(keys, { recursive: true, force: true });
}

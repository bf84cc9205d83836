import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { clientBinaries } from "./client-binaries.js";

/** Prepares the environment that all processes of a test run inherit. */
export function setup({ vitest }: TestProject): () => void {
  // With this variable, Node.js reads the CA certificates at each start, which takes longer than the rest of a start.
  delete process.env.NODE_EXTRA_CA_CERTS;
  // Where the processes share the keys of servers.
  const keys = mkdtempSync(join(tmpdir(), "keys-of-run-"));
  process.env.TEST_RUN_KEYS = keys;
  // Unpacked once here: the processes start together, and each would unpack the clients. Unit tests need none.
  if (vitest.projects.some(({ name }) => name !== "unit")) clientBinaries();
  return () => rmSync(keys, { recursive: true, force: true });
}

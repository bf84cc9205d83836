import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Before all tests: a place where their processes share the keys of servers. */
export function setup(): () => void {
  const place = mkdtempSync(join(tmpdir(), "keys-of-run-"));
  process.env.TEST_RUN_KEYS = place;
  return () => rmSync(place, { recursive: true, force: true });
}

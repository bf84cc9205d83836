import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/**
 * For tests: making keys and certificates takes longer than a start of a server that finds them. So the first server of a test run makes
 * them, and later ones reuse them, and renew a certificate that lacks one of their names.
 */
const kept = new Map<string, ReadonlyMap<string, Buffer>>();

/** Where the processes of a run share them, as `test/support/before-all-tests.ts` sets it; without it each keeps its own. */
const shared = process.env.TEST_RUN_KEYS;

/**
 * Writes the kept keys into the directory of a new server. `owner` stands for servers whose authority has the same name. Does nothing
 * before the first server has made them.
 */
export function givePki(owner: string, directory: string): void {
  const files = keptFiles(owner);
  if (files === undefined) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes, { mode: modeOf(name) });
}

/** Keeps the keys that a started server has made. */
export function keepPki(owner: string, directory: string): void {
  // A server with configured certificates has created only some of the files.
  if (kept.has(owner) || !existsSync(join(directory, "admin.key"))) return;
  kept.set(owner, filesIn(directory));
  if (shared !== undefined) share(directory, join(shared, owner));
}

function keptFiles(owner: string): ReadonlyMap<string, Buffer> | undefined {
  const known = kept.get(owner);
  if (known !== undefined || shared === undefined) return known;
  const place = join(shared, owner);
  if (!existsSync(place)) return undefined;
  const files = filesIn(place);
  kept.set(owner, files);
  return files;
}

function filesIn(directory: string): ReadonlyMap<string, Buffer> {
  return new Map(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))]));
}

/** Another process finds all files at the place, or none. The first one wins. */
function share(directory: string, place: string): void {
  const copy = mkdtempSync(`${place}-`);
  cpSync(directory, copy, { recursive: true });
  try {
    renameSync(copy, place);
  } catch {
    rmSync(copy, { recursive: true });
  }
}

function modeOf(name: string): number {
  return name.endsWith(".key") ? 0o600 : 0o644;
}

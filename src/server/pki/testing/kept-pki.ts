import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * For tests: making keys and certificates takes a third of the first start of a server, most of it the RSA key of the administrator. So
 * the first server of a test process makes them, and the later ones find them, and renew a certificate that lacks one of their names.
 */
const kept = new Map<string, ReadonlyMap<string, Buffer>>();

/**
 * Writes the kept keys into the directory of a new server. `owner` stands for servers whose authority has the same name. Does nothing
 * before the first server has made them.
 */
export function givePki(owner: string, directory: string): void {
  const files = kept.get(owner);
  if (files === undefined) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes, { mode: modeOf(name) });
}

/** Keeps the keys that a started server has made. */
export function keepPki(owner: string, directory: string): void {
  // A server that was given certificates has made a part of the files only.
  if (kept.has(owner) || !existsSync(join(directory, "admin.key"))) return;
  kept.set(owner, new Map(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))])));
}

function modeOf(name: string): number {
  return name.endsWith(".key") ? 0o600 : 0o644;
}

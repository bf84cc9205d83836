import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../telemetry/logger.js";

const othersMayWrite = 0o022;
const othersMayReadOrWrite = 0o077;

/**
 * Warns of directories in which other users may replace the server's files, and of keys that others can read. Only warns, because a
 * container's volume may belong to anybody.
 */
export function warnOfOpenFiles(directories: readonly string[], log: Logger): void {
  for (const directory of new Set(directories)) {
    const problem = problemOf(directory, othersMayWrite);
    if (problem !== undefined) log.warn(`${problem}: they could replace the server's files`, { directory });
    for (const name of readdirSync(directory)) {
      if (!name.endsWith(".key")) continue;
      const file = join(directory, name);
      const found = problemOf(file, othersMayReadOrWrite);
      if (found !== undefined) log.warn(`${found}: they may know the key`, { file });
    }
  }
}

/** Undefined for the superuser, who may do everything anyway. */
function problemOf(path: string, modeBits: number): string | undefined {
  const own = process.getuid?.();
  const found = statSync(path, { throwIfNoEntry: false });
  if (own === undefined || found === undefined) return undefined;
  const { uid, mode } = found;
  if (uid !== own && uid !== 0) return `belongs to another user, with id ${uid}`;
  return (mode & modeBits) === 0 ? undefined : `other users have access (mode ${(mode & 0o777).toString(8)})`;
}

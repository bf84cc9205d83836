import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Replaces a file atomically: readers see either the old or the new content. A symbolic link is replaced, not followed. `mode` holds from
 * the first byte on, regardless of the umask. A failed write leaves only the old file.
 */
export function writeFileAtomically(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A file that a crashed process with the same ID left would keep its mode.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", mode);
  try {
    try {
      fchmodSync(file, mode);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

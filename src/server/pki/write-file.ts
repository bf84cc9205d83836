import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Readers see the old file or the whole new one, even through a symbolic link in its place, which is replaced. `mode` holds from the
 * first byte on, whatever the umask. A write that fails leaves the old file and nothing else.
 */
export function writeFileAtomically(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A file left by a crashed process with the same id would keep its mode.
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

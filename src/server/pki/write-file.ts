import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/**
 * Readers see the old file or the whole new one, even through a symbolic link in its place, which is replaced. `mode` holds from the
 * first byte on, whatever the umask.
 */
export function writeFileAtomically(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A file left by a crashed process with the same id would keep its mode.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", mode);
  try {
    fchmodSync(file, mode);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

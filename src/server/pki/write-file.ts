import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** Readers see the old file or the whole new one. `mode` holds from the first byte on. */
export function writeFileAtomically(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // One left by a crashed process with the same id would keep its own mode.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

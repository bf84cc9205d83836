import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "../../files/make-directory.js";
import { type EventBatch, takeBytes } from "../event-queue.js";
import { backupName, type RotationLimits, tidyBackups } from "./backups.js";
import type { LineTarget } from "./log-destination.js";

export interface RotatingFileOptions extends RotationLimits {
  readonly path: string;
  /** A file that would become longer is rotated first. */
  readonly bytesMax: number;
  readonly now: () => Date;
  /** Called when old files could not be deleted or compressed: logging continues. */
  readonly onProblem: (error: unknown) => void;
}

/** The log records what others did, so only the server's user may read it. */
const mode = 0o600;
const directoryMode = 0o700;
/** How often to check whether the file still has its name. */
const recheckMs = 1000;
/** Approximate bytes per call, so that other work gets its turn with the writing thread. */
const chunkBytes = 1024 * 1024;
/** Pieces per call: as many as Linux accepts. */
const chunkPiecesMax = 1024;

/**
 * A file of whole lines that is rotated, with the time in its name, before it becomes too long. When somebody else renames or deletes it, a
 * new one is started. A line that an earlier server left unfinished is cut off.
 */
export class RotatingFile implements LineTarget {
  readonly #options: RotatingFileOptions;
  #file: FileHandle;
  #bytes: number;
  #identity: string;
  #checkedAt = 0;
  #tidying: Promise<void> = Promise.resolve();

  private constructor(options: RotatingFileOptions, opened: OpenedFile) {
    this.#options = options;
    this.#file = opened.file;
    this.#bytes = opened.bytes;
    this.#identity = opened.identity;
  }

  /** Rejects with the system's error for a file that cannot be written. */
  static async open(options: RotatingFileOptions): Promise<RotatingFile> {
    const file = new RotatingFile(options, await openFile(options.path));
    file.#tidy();
    return file;
  }

  async write({ pieces, lengths, byteLength }: EventBatch): Promise<void> {
    await this.#followRename();
    const rest = [...pieces];
    const isRoom = this.#bytes + byteLength <= this.#options.bytesMax;
    const bytes = isRoom ? byteLength : await this.#fillFiles(rest, lengths);
    await this.#append(rest, bytes);
  }

  /** Rotates before each line that does not fit, after the lines before it are written. Returns how many bytes are left in `pieces`. */
  async #fillFiles(pieces: Uint8Array[], lengths: readonly number[]): Promise<number> {
    let bytes = 0;
    for (const length of lengths) {
      if (this.#bytes + bytes + length > this.#options.bytesMax) {
        await this.#append(takeBytes(pieces, bytes), bytes);
        bytes = 0;
        if (this.#bytes > 0) await this.#rotate();
      }
      bytes += length;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.#tidying;
    await this.#file.close();
  }

  async #append(pieces: Uint8Array[], bytes: number): Promise<void> {
    if (bytes === 0) return;
    try {
      while (pieces.length > 0) await this.#writeSome(pieces);
    } catch (error) {
      // No partial line remains, for example on a full disk.
      await this.#file.truncate(this.#bytes).catch(() => {});
      throw error;
    }
    this.#bytes += bytes;
  }

  /** Removes from `pieces` what was written. */
  async #writeSome(pieces: Uint8Array[]): Promise<void> {
    let count = 0;
    for (let bytes = 0; count < pieces.length && count < chunkPiecesMax && bytes < chunkBytes; count++) {
      bytes += pieces[count]?.length ?? 0;
    }
    const { bytesWritten } = await this.#file.writev(pieces.slice(0, count));
    takeBytes(pieces, bytesWritten);
  }

  async #rotate(): Promise<void> {
    const { path, now } = this.#options;
    // Windows cannot rename an open file.
    await this.#file.close();
    try {
      await rename(path, await backupName(path, now()));
    } finally {
      await this.#reopen();
    }
    this.#tidy();
  }

  async #followRename(): Promise<void> {
    const now = performance.now();
    if (now - this.#checkedAt < recheckMs) return;
    this.#checkedAt = now;
    const there = await stat(this.#options.path).catch(() => undefined);
    if (there !== undefined && identityOf(there) === this.#identity) return;
    await this.#file.close();
    await this.#reopen();
  }

  async #reopen(): Promise<void> {
    const { file, bytes, identity } = await openFile(this.#options.path);
    this.#file = file;
    this.#bytes = bytes;
    this.#identity = identity;
  }

  #tidy(): void {
    const { path, onProblem, now } = this.#options;
    this.#tidying = this.#tidying.then(() => tidyBackups(path, this.#options, now())).catch(onProblem);
  }
}

interface OpenedFile {
  readonly file: FileHandle;
  readonly bytes: number;
  readonly identity: string;
}

async function openFile(path: string): Promise<OpenedFile> {
  makeDirectory(dirname(path), directoryMode);
  const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, mode);
  const about = await file.stat();
  const bytes = about.isFile() ? await endOfLines(file, about.size) : 0;
  if (bytes < about.size) await file.truncate(bytes);
  return { file, bytes, identity: identityOf(about) };
}

/** The length up to the last complete line. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const at = block.subarray(0, bytesRead).lastIndexOf(newline);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

function identityOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

const newline = 0x0a;

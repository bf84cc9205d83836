import { chmod, type FileHandle, open, stat } from "node:fs/promises";
import { endianness } from "node:os";
import { StorageError } from "../storage-error.js";
import { findDamagedPage, type PageTrees, rootOf } from "./page-check.js";

const magic = 0xbeefc0de;
const dataVersion = 2;
const pageBytesMax = 65_536;

/** Offsets in a meta page of LMDB's data version 2 (`struct MDB_meta` behind a page header of 24 bytes). */
const magicOffset = 24;
const versionOffset = 28;
const pageBytesOffset = 48;
/** The roots of the free pages and of the tables, each a `struct MDB_db`. */
const treeOffsets = [48, 96] as const;
const lastPageOffset = 144;
const transactionOffset = 152;
const metaBytes = 168;

/** How much a start checks, at about 10 µs per page: all of most stores, and of a larger one the pages nearest to the roots. */
const checkLimit = { pages: 32_768, milliseconds: 300 };

/**
 * Checks a data file before LMDB maps it, because LMDB trusts it: a page beyond the end of the file, or one that something else wrote over,
 * would end the process with a signal. Throws `Corrupt` when the file is not LMDB's or is damaged, and when a copy is shorter than its
 * pages. A live file may be shorter while its last pages are free: it is extended, so that a page missing for another reason reads as
 * zeros, which LMDB reports.
 */
export async function inspectDataFile(path: string, kind: "store" | "copy"): Promise<void> {
  const file = await openIfThere(path, kind);
  // A new store.
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    if (size === 0) {
      throw new StorageError(
        "Corrupt",
        `${path} is empty: restore a backup of the store, or remove the file to start with an empty one`,
      );
    }
    const trees = await readTrees(file, path);
    const pagesEnd = (Number(trees.lastPage) + 1) * trees.pageBytes;
    if (size < pagesEnd) {
      if (kind === "copy") {
        throw new StorageError("Corrupt", `${path} is incomplete: it has ${size} bytes of ${pagesEnd}`);
      }
      await file.truncate(pagesEnd);
    }
    const problem = findDamagedPage(file.fd, trees, checkLimit);
    if (problem !== undefined) {
      throw new StorageError("Corrupt", `${path} is damaged: ${problem}; restore a backup of the store`);
    }
  } finally {
    await file.close();
  }
}

/** Makes the file private, whatever the umask is or was, because the data holds secrets. A file of another user stays as it is. */
export async function keepPrivate(path: string): Promise<void> {
  const { uid, mode } = await stat(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(path, 0o600);
}

async function openIfThere(path: string, kind: "store" | "copy"): Promise<FileHandle | undefined> {
  try {
    return await open(path, kind === "store" ? "r+" : "r");
  } catch (error) {
    if (kind === "store" && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function readTrees(file: FileHandle, path: string): Promise<PageTrees> {
  const first = await readMeta(file, 0);
  if (first === undefined || first.pageBytes > pageBytesMax) {
    throw new StorageError("Corrupt", `${path} is not the data file of a store: restore a backup`);
  }
  const second = await readMeta(file, first.pageBytes);
  return second !== undefined && second.transaction > first.transaction ? second : first;
}

async function readMeta(
  file: FileHandle,
  position: number,
): Promise<(PageTrees & { readonly transaction: bigint }) | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(metaBytes), 0, metaBytes, position);
  if (bytesRead < metaBytes) return undefined;
  const view = new DataView(buffer.buffer, buffer.byteOffset, metaBytes);
  const little = endianness() === "LE";
  const isMeta =
    view.getUint32(magicOffset, little) === magic &&
    (view.getUint32(versionOffset, little) & 0xffff) === dataVersion;
  if (!isMeta) return undefined;
  return {
    pageBytes: view.getUint32(pageBytesOffset, little),
    roots: treeOffsets.flatMap((offset) => rootOf(view, offset) ?? []),
    lastPage: view.getBigUint64(lastPageOffset, little),
    transaction: view.getBigUint64(transactionOffset, little),
  };
}

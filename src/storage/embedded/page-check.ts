import { readSync } from "node:fs";
import { endianness } from "node:os";

/** Layout of a page of LMDB's data version 2 (`struct MDB_page`, `MDB_node`, `MDB_db`). */
const headerBytes = 24;
const flagsOffset = 18;
const lowerOffset = 20;
const upperOffset = 22;
const overflowPagesOffset = 20;
const branchPage = 0x01;
const leafPage = 0x02;
const overflowPage = 0x04;
const kindBits = 0x2f;
const nodeHeaderBytes = 8;
const isOverflowing = 0x01;
const isTable = 0x02;
const rootOffset = 40;
const tableBytes = 48;
const noPage = 2n ** 64n - 1n;

export interface PageTrees {
  /** Page numbers of the roots; empty trees have none. */
  readonly roots: readonly bigint[];
  readonly pageBytes: number;
  readonly lastPage: bigint;
}

/** The root of the tree that a `MDB_db` record describes; undefined when it is empty. */
export function rootOf(view: DataView, offset: number): bigint | undefined {
  const root = view.getBigUint64(offset + rootOffset, isLittleEndian);
  return root === noPage ? undefined : root;
}

const isLittleEndian = endianness() === "LE";

export interface PageCheckLimit {
  readonly pages: number;
  /** Each page may have to come from a slow disk. */
  readonly milliseconds: number;
}

interface Expected {
  readonly number: bigint;
  /** Length of a value with its own pages; undefined for a page of a tree. */
  readonly valueBytes: number | undefined;
}

/** Whether a page can be where it is said to be; its content is checked later. */
type Follow = (page: bigint, valueBytes?: number) => boolean;

/**
 * Checks the pages of the trees, those nearest to the roots first, up to `limit`. LMDB itself does not: it follows their offsets and page
 * numbers wherever they point, even out of the mapped file. Reads the file and maps nothing. Returns what is wrong with the first damaged
 * page.
 */
export function findDamagedPage(fd: number, trees: PageTrees, limit: PageCheckLimit): string | undefined {
  const { pageBytes, lastPage } = trees;
  const page = Buffer.alloc(pageBytes);
  const view = new DataView(page.buffer, page.byteOffset, pageBytes);
  const waiting: Expected[] = trees.roots.map((number) => ({ number, valueBytes: undefined }));
  const seen = new Set(trees.roots);
  const follow: Follow = (number, valueBytes) => {
    if (number > lastPage || seen.has(number)) return false;
    seen.add(number);
    waiting.push({ number, valueBytes });
    return true;
  };
  const end = performance.now() + limit.milliseconds;
  for (let i = 0; i < limit.pages && performance.now() < end; i++) {
    const expected = waiting[i];
    if (expected === undefined) break;
    const { number } = expected;
    const bytesRead = readSync(fd, page, 0, pageBytes, Number(number) * pageBytes);
    if (bytesRead < headerBytes) return `page ${number} is missing`;
    page.fill(0, bytesRead);
    const problem = problemOfPage(view, expected, follow);
    if (problem !== undefined) return `page ${number} ${problem}`;
  }
  return undefined;
}

function problemOfPage(view: DataView, { number, valueBytes }: Expected, follow: Follow): string | undefined {
  if (view.getBigUint64(0, isLittleEndian) !== number) return "is not the one that belongs there";
  const kind = view.getUint16(flagsOffset, isLittleEndian) & kindBits;
  if (valueBytes !== undefined) {
    // The other pages of the value have no header.
    const pages = Math.ceil((headerBytes + valueBytes) / view.byteLength);
    const isSound = kind === overflowPage && view.getUint32(overflowPagesOffset, isLittleEndian) === pages;
    return isSound ? undefined : "is not the value that belongs there";
  }
  if (kind !== branchPage && kind !== leafPage) return "is of no known kind";
  const room = view.byteLength - headerBytes;
  const lower = view.getUint16(lowerOffset, isLittleEndian);
  const upper = view.getUint16(upperOffset, isLittleEndian);
  if (lower > upper || upper > room || lower % 2 !== 0) return "has contradictory bounds";
  const entries = lower / 2;
  if (kind === branchPage && entries === 0) return "leads nowhere";
  for (let i = 0; i < entries; i++) {
    const at = view.getUint16(headerBytes + 2 * i, isLittleEndian);
    if (at < upper || at + nodeHeaderBytes > room) return "has an entry outside of it";
    const sound =
      kind === branchPage
        ? isBranchSound(view, headerBytes + at, follow)
        : isLeafSound(view, headerBytes + at, follow);
    if (!sound) return "has an entry that leads nowhere";
  }
  return undefined;
}

function isBranchSound(view: DataView, at: number, follow: Follow): boolean {
  const keyBytes = view.getUint16(at + 6, isLittleEndian);
  const low = view.getUint32(at, isLittleEndian);
  const high = view.getUint16(at + 4, isLittleEndian);
  return at + nodeHeaderBytes + keyBytes <= view.byteLength && follow(BigInt(high) * 2n ** 32n + BigInt(low));
}

function isLeafSound(view: DataView, at: number, follow: Follow): boolean {
  const valueBytes = view.getUint32(at, isLittleEndian);
  const flags = view.getUint16(at + 4, isLittleEndian);
  const value = at + nodeHeaderBytes + view.getUint16(at + 6, isLittleEndian);
  if ((flags & isOverflowing) !== 0) {
    return value + 8 <= view.byteLength && follow(view.getBigUint64(value, isLittleEndian), valueBytes);
  }
  if (value + valueBytes > view.byteLength) return false;
  if ((flags & isTable) === 0) return true;
  if (valueBytes < tableBytes) return false;
  const root = rootOf(view, value);
  return root === undefined || follow(root);
}

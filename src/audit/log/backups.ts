import { createReadStream, createWriteStream } from "node:fs";
import { access, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** Manages rotated log files. */
export interface RotationLimits {
  /** Files to keep; 0 keeps all. */
  readonly backupsMax: number;
  /** Days to keep them; 0 keeps them forever. */
  readonly daysMax: number;
  readonly compress: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;
const compressedSuffix = ".gz";
/** Suffix of a file that is being compressed. */
const unfinishedSuffix = ".tmp";

/** A path for a rotated file: `audit-2026-01-02T03-04-05.678.log`, in UTC, as kube-apiserver names them. */
export async function backupName(path: string, now: Date): Promise<string> {
  const { prefix, extension } = partsOf(path);
  for (let time = now.getTime(); ; time++) {
    const name = join(dirname(path), `${prefix}${stampOf(new Date(time))}${extension}`);
    if (!(await exists(name)) && !(await exists(name + compressedSuffix))) return name;
  }
}

/** Deletes files that are too many or too old, and compresses the others if requested. */
export async function tidyBackups(path: string, limits: RotationLimits, now: Date): Promise<void> {
  const { backupsMax, daysMax, compress } = limits;
  if (backupsMax === 0 && daysMax === 0 && !compress) return;
  const backups = await backupsOf(path);
  const oldest = daysMax === 0 ? Number.NEGATIVE_INFINITY : now.getTime() - daysMax * dayMs;
  const kept = backups.filter(
    ({ time }, index) => (backupsMax === 0 || index < backupsMax) && time >= oldest,
  );
  for (const backup of backups) {
    if (!kept.includes(backup)) for (const file of backup.files) await rm(file, { force: true });
  }
  if (!compress) return;
  for (const { files } of kept) {
    for (const file of files) if (!file.endsWith(compressedSuffix)) await compressFile(file);
  }
}

interface Backup {
  readonly time: number;
  /** The plain and the compressed file; after a crash both may exist. */
  readonly files: readonly string[];
}

/** Newest first. */
async function backupsOf(path: string): Promise<readonly Backup[]> {
  const { prefix, extension } = partsOf(path);
  const byTime = new Map<number, string[]>();
  for (const name of await readdir(dirname(path))) {
    const plain = name.endsWith(compressedSuffix) ? name.slice(0, -compressedSuffix.length) : name;
    if (!plain.startsWith(prefix) || !plain.endsWith(extension)) continue;
    const time = timeOf(plain.slice(prefix.length, plain.length - extension.length));
    if (time === undefined) continue;
    byTime.set(time, [...(byTime.get(time) ?? []), join(dirname(path), name)]);
  }
  return [...byTime].sort(([a], [b]) => b - a).map(([time, files]) => ({ time, files }));
}

async function compressFile(file: string): Promise<void> {
  const unfinished = file + compressedSuffix + unfinishedSuffix;
  await rm(unfinished, { force: true });
  await pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
  await rename(unfinished, file + compressedSuffix);
  await rm(file, { force: true });
}

function partsOf(path: string): { readonly prefix: string; readonly extension: string } {
  const extension = extname(path);
  return { prefix: `${basename(path, extension)}-`, extension };
}

function stampOf(time: Date): string {
  return time.toISOString().slice(0, -1).replaceAll(":", "-");
}

function timeOf(stamp: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3})$/.exec(stamp);
  if (match === null) return undefined;
  const time = Date.parse(`${match[1]}:${match[2]}:${match[3]}Z`);
  return Number.isNaN(time) ? undefined : time;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

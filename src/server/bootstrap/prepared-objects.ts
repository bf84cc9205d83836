import { readFile } from "node:fs/promises";
import { hasLevel, type LevelRange } from "../../apimachinery/levels/api-level.js";
import { writeVarint } from "../../apimachinery/schema/string-coding.js";
import type { Naming } from "../../naming/naming.js";
import { type KeyValueStore, noRevision, prefixEnd } from "../../storage/kv.js";
import { isControllerSelected } from "../options/groups/local.js";
import type { Options } from "../options/options.js";

/**
 * An object that every cluster has, as the bootstrap at these levels stores it with default options. The build creates it
 * (`scripts/bootstrap-at-levels.ts`): clusters differ only in its uid and time.
 */
export interface PreparedObject extends LevelRange {
  /** Below the root of the store: `/namespaces/default`. */
  readonly key: string;
  /** What is stored, in base64. */
  readonly value: string;
  /** Where the 36 bytes of the uid begin. */
  readonly uidAt: number;
  /** Where the seconds of times begin: varints of five bytes. */
  readonly timesAt: readonly number[];
}

/** What differs from cluster to cluster. */
export interface ObjectIdentity {
  readonly uid: string;
  /** Since the epoch. */
  readonly seconds: number;
}

const secondsBytes = 5;
/** Earlier and later times take fewer or more bytes. */
const secondsMin = 2 ** (7 * (secondsBytes - 1));
const secondsMax = 2 ** (7 * secondsBytes) - 1;

/** Undefined if an option may make a difference, or the program was not built. */
export async function preparedObjects(
  options: Options,
  naming: Naming,
): Promise<readonly PreparedObject[] | undefined> {
  const folder = process.env.ORCH_PREPARED_OBJECTS;
  if (folder === undefined || !isPrepared(options)) return undefined;
  const file = new URL(`${naming.profile}.json`, new URL(folder, import.meta.url));
  const objects: readonly PreparedObject[] = JSON.parse(await readFile(file, "latin1"));
  const ofLevel = objects.filter((object) => hasLevel(object, options.apiLevel));
  if (options.runtimeConfig.size === 0) return ofLevel;
  // Other versions may be served.
  const apiServices = `/${naming.group("apiregistration")}/`;
  return ofLevel.filter(({ key }) => !key.startsWith(apiServices));
}

/** What is stored, and in which form, depends on these. */
function isPrepared(options: Options): boolean {
  return (
    options.featureGates.size === 0 &&
    options.enablePriorityAndFairness &&
    isControllerSelected("clusterrole-aggregation", options.controllers) &&
    options.emulatedVersion === undefined &&
    options.minCompatibilityVersion === undefined &&
    options.storageMediaType === "protobuf" &&
    options.encryptionProviderConfig === undefined &&
    options.storeServersOverrides.length === 0
  );
}

/**
 * Stores the objects in an empty store; loads them only then, because most starts find data. Resolves with false unless this server has
 * stored all of them.
 */
export async function storePrepared(
  objects: () => Promise<readonly PreparedObject[] | undefined>,
  { kv, root, seconds, uid }: { kv: KeyValueStore; root: string; seconds: number; uid: () => string },
): Promise<boolean> {
  if (seconds < secondsMin || seconds > secondsMax) return false;
  const start = `${root}/`;
  const found = await kv.range({
    start,
    end: prefixEnd(start),
    limit: 1,
    keysOnly: true,
    withoutCount: true,
  });
  if (found.kvs.length > 0) return false;
  const missing = await objects();
  if (missing === undefined) return false;
  // One transaction and revision each, as if they were created one after the other.
  const stored = await Promise.all(
    missing.map((object) => {
      const key = root + object.key;
      const value = storedValue(object, { uid: uid(), seconds });
      return kv.transact({
        compare: [{ key, target: "mod", revision: noRevision }],
        success: [{ kind: "put", key, value }],
        failure: [],
      });
    }),
  );
  return stored.every(({ succeeded }) => succeeded);
}

export function storedValue(
  { value, uidAt, timesAt }: PreparedObject,
  { uid, seconds }: ObjectIdentity,
): Buffer {
  const bytes = Buffer.from(value, "base64");
  bytes.write(uid, uidAt, "latin1");
  const time = secondsOf(seconds);
  for (const at of timesAt) bytes.set(time, at);
  return bytes;
}

/** A varint. */
export function secondsOf(seconds: number): Uint8Array {
  const bytes = Buffer.alloc(secondsBytes);
  writeVarint(seconds, bytes, secondsBytes);
  return bytes;
}

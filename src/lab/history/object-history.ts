import { append } from "../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { badRequest, conflict, expired, notFound } from "../../apimachinery/errors/status.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { type KeyValueStore, type KvEvent, noRevision, type Revision, toRevision } from "../../storage/kv.js";
import { isStorageError } from "../../storage/storage-error.js";
import type { UsersOfWrites } from "./users-of-writes.js";

/** One version of an object that the store still has. */
export interface ObjectVersion {
  /** The resourceVersion. */
  readonly version: string;
  readonly type: "created" | "updated" | "deleted";
  /** Managers of the fields that this version changed, according to `managedFields`. */
  readonly managers: readonly string[];
  /** Who sent the request, if this server audited it. */
  readonly user: string | undefined;
  /** When it was written, to the second, according to `managedFields`. */
  readonly time: string | undefined;
  /** Fields that differ from the previous version, with both values; undefined stands for a missing one. */
  readonly changes: readonly FieldChange[];
}

export interface FieldChange {
  /** `spec.replicas` */
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** The history of objects, by their API paths: `/api/v1/namespaces/default/configmaps/a`. */
export interface ServerHistory {
  of(path: string): Promise<readonly ObjectVersion[]>;
  /** Restores an earlier version, unchanged and without admission. */
  undo(path: string, version: string): Promise<void>;
}

/** Where an object is stored, and how to read its bytes. */
export interface StoredPlace {
  readonly key: string;
  readonly name: string;
  /** The object as clients see it, at a revision; undefined when it did not exist, or its state is lost. */
  at(revision: Revision): Promise<JsonObject | undefined>;
}

/** Nobody would read more changes of one version. */
const changesMax = 500;

/** The versions of an object, oldest first, as far back as the store's history goes. */
export async function objectHistory(
  store: KeyValueStore,
  place: StoredPlace,
  users: UsersOfWrites,
): Promise<readonly ObjectVersion[]> {
  const versions: ObjectVersion[] = [];
  let before: JsonObject | undefined;
  for (const { kv, previous, type } of await eventsOf(store, place)) {
    if (versions.length === 0 && previous !== undefined)
      before = await place.at(toRevision(kv.modRevision - 1));
    const after = type === "put" ? await place.at(kv.modRevision) : undefined;
    const changes = differences(before, after);
    const authors = authorsOf(before, after);
    versions.push({
      version: String(kv.modRevision),
      type: type === "delete" ? "deleted" : kv.version === 1 ? "created" : "updated",
      managers: [...new Set(authors.map(({ manager }) => textOf(manager)))],
      user: users.of(kv.modRevision),
      time: authors.map(({ time }) => textOf(time)).reduce(later, "") || undefined,
      changes: changes.slice(0, changesMax),
    });
    before = after;
  }
  return versions;
}

/** Restores an earlier version as it was stored. Rejects with a `StatusError`. */
export async function undoTo(store: KeyValueStore, place: StoredPlace, version: string): Promise<void> {
  const revision = Number(version);
  if (!Number.isSafeInteger(revision) || revision <= 0) throw badRequest(`undo: not a version: ${version}`);
  const events = await eventsOf(store, place);
  const wanted = events.find(({ kv }) => kv.modRevision === revision);
  if (wanted === undefined) {
    throw expired(`the store has no version ${version} of ${JSON.stringify(place.name)} any more`);
  }
  if (wanted.type === "delete") throw badRequest(`undo: at ${version} there was no object: delete it`);
  const last = events.at(-1);
  const found = last?.type === "put" ? last.kv.modRevision : noRevision;
  const { succeeded } = await store.transact({
    compare: [{ key: place.key, target: "mod", revision: found }],
    success: [{ kind: "put", key: place.key, value: wanted.kv.value }],
    failure: [],
  });
  if (!succeeded) throw conflict(subject, place.name, "somebody else has changed it at the same moment");
}

const subject = { group: "", resource: "histories" };

async function eventsOf(store: KeyValueStore, { key, name }: StoredPlace): Promise<readonly KvEvent[]> {
  const events: KvEvent[] = [];
  const enough = new AbortController();
  try {
    const { compactedRevision, revision } = await store.status();
    const startRevision = toRevision(Math.max(compactedRevision, 1));
    const watch = store.watch({ start: key, startRevision }, enough.signal);
    await store.requestProgress();
    for await (const batch of watch) {
      if (batch.kind === "events") append(events, batch.events);
      if (batch.revision >= revision) break;
    }
  } catch (error) {
    if (!isStorageError(error, "Compacted")) throw error;
    throw expired(`the history of ${JSON.stringify(name)} was compacted while it was read: try again`);
  } finally {
    enough.abort();
  }
  if (events.length > 0) return events;
  // Nothing has changed since the history begins.
  const { kvs } = await store.range({ start: key });
  const [kv] = kvs;
  if (kv === undefined) throw notFound(subject, name);
  return [{ type: "put", kv, previous: undefined }];
}

/** Managers whose entries name new fields; if there are none, those whose entries differ in any way. */
function authorsOf(before: JsonObject | undefined, after: JsonObject | undefined): readonly JsonObject[] {
  const known = entriesOf(before);
  const changed = entriesOf(after).filter((entry) => !known.some((other) => isDeepEqual(other, entry)));
  const grown = changed.filter((entry) => {
    const former = known.find((other) => isSameManager(other, entry));
    const names = fieldsOf(former?.fieldsV1);
    return former === undefined || [...fieldsOf(entry.fieldsV1)].some((field) => !names.has(field));
  });
  return grown.length > 0 ? grown : changed;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The later of two times in the same form. */
function later(left: string, right: string): string {
  return left > right ? left : right;
}

function isSameManager(a: JsonObject, b: JsonObject): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource;
}

function fieldsOf(
  value: JsonValue | undefined,
  path = "",
  into: Set<string> = new Set(),
): ReadonlySet<string> {
  if (!isJsonObject(value)) return into;
  for (const [name, below] of Object.entries(value)) {
    into.add(`${path}/${name}`);
    fieldsOf(below, `${path}/${name}`, into);
  }
  return into;
}

function entriesOf(object: JsonObject | undefined): readonly JsonObject[] {
  const metadata = object?.metadata;
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined;
  return Array.isArray(entries) ? entries.filter(isJsonObject) : [];
}

/** Fields that every write changes, which are left out. */
const unremarkable = new Set(["metadata.managedFields", "metadata.resourceVersion"]);

export function differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = "",
): FieldChange[] {
  if (unremarkable.has(path) || isDeepEqual(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    differences(before[name], after[name], path === "" ? name : `${path}.${name}`),
  );
}

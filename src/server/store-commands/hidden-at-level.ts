import { qualifiedResource } from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { DecodeError } from "../../apimachinery/schema/codec.js";
import { resourcesOfLevel } from "../../apis/builtin-resources.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import type { LmdbTables } from "../../storage/embedded/lmdb-tables.js";
import { SnapshotReader } from "../../storage/embedded/snapshot-reader.js";
import { prefixEnd } from "../../storage/kv.js";
import { storedUnservedKinds } from "../stores/unserved-kinds.js";
import { bothNamings, contextOf, StoredKinds } from "./stored-kinds.js";
import { StoredValueError, storedJson, typeMetaOf } from "./stored-value.js";

/** Objects with something in common: how many, and the first of their names with namespaces. */
export interface SomeObjects {
  count: number;
  readonly names: string[];
}

export interface HiddenAtLevel {
  /** By resource: the objects of kinds that the level lacks. */
  readonly kinds: ReadonlyMap<string, SomeObjects>;
  /** By resource and path: the objects with a field that the level lacks. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, SomeObjects>>;
  /** By resource and reason: the objects whose fields cannot be read, such as encrypted ones. */
  readonly unread: ReadonlyMap<string, ReadonlyMap<string, SomeObjects>>;
}

export interface LevelOfStore {
  readonly level: ApiLevel;
  readonly naming: Naming;
  /** The prefix of all keys, without a slash at its end: `/registry`. */
  readonly root: string;
}

const namesMax = 3;
const objectsPerRound = 200;

/** What a server of this level would not show of stored built-in objects. Custom resources are the same at every level. */
export async function hiddenAtLevel(
  tables: LmdbTables,
  { level, naming, root }: LevelOfStore,
): Promise<HiddenAtLevel> {
  const reader = new SnapshotReader(tables);
  try {
    const objects = new StoredObjects(reader, root);
    const { known, unserved } = resourcesOfEitherProfile(naming, level);
    const kinds = new Map<string, SomeObjects>();
    const countOf = async (definition: ResourceDefinition) => objects.countOf(definition);
    for (const { definition, count } of await storedUnservedKinds({ countOf }, unserved)) {
      kinds.set(qualifiedResource(definition), { count, names: objects.firstNamesOf(definition) });
    }
    const fields = new FieldsOfLevel(naming, level);
    for (const definition of known) await fields.look(definition, objects);
    return { kinds, fields: fields.hidden, unread: fields.unread };
  } finally {
    reader.done();
  }
}

/** Each storage prefix of either profile's kinds once, named as in `naming`. */
function resourcesOfEitherProfile(naming: Naming, level: ApiLevel) {
  const known = new Map<string, ResourceDefinition>();
  const unserved = new Map<string, ResourceDefinition>();
  for (const each of bothNamings(naming)) {
    const ofLevel = resourcesOfLevel(contextOf(each, level));
    addMissing(known, ofLevel.known);
    addMissing(unserved, ofLevel.unserved);
  }
  // A prefix that a known kind uses belongs to that kind.
  const others = [...unserved].filter(([place]) => !known.has(place));
  return { known: [...known.values()], unserved: others.map(([, definition]) => definition) };
}

function addMissing(
  byPlace: Map<string, ResourceDefinition>,
  definitions: Iterable<ResourceDefinition>,
): void {
  for (const definition of definitions) {
    const place = definition.storage?.prefix;
    if (place !== undefined && !byPlace.has(place)) byPlace.set(place, definition);
  }
}

/** The newest versions of the objects of one store. */
class StoredObjects {
  readonly #reader: SnapshotReader;
  readonly #root: string;

  constructor(reader: SnapshotReader, root: string) {
    this.#reader = reader;
    this.#root = root;
  }

  countOf(definition: ResourceDefinition): number {
    let count = 0;
    for (const _head of this.#reader.heads(this.#rangeOf(definition))) count += 1;
    return count;
  }

  firstNamesOf(definition: ResourceDefinition): string[] {
    const range = this.#rangeOf(definition);
    const names: string[] = [];
    for (const [key] of this.#reader.heads(range)) {
      if (names.push(key.slice(range.start.length)) === namesMax) break;
    }
    return names;
  }

  *of(definition: ResourceDefinition): Generator<{ readonly name: string; readonly value: Uint8Array }> {
    const range = this.#rangeOf(definition);
    for (const [key, head] of this.#reader.heads(range)) {
      const { value } = this.#reader.keyValue(key, head, false);
      yield { name: key.slice(range.start.length), value };
    }
  }

  #rangeOf({ storage }: ResourceDefinition): { start: string; end: string } {
    const start = `${this.#root}${storage?.prefix ?? ""}/`;
    return { start, end: prefixEnd(start) };
  }
}

/** Finds fields that a level lacks, by decoding an object at that level and comparing. */
class FieldsOfLevel {
  readonly hidden = new Map<string, Map<string, SomeObjects>>();
  readonly unread = new Map<string, Map<string, SomeObjects>>();
  readonly #all: StoredKinds;
  readonly #ofLevel: StoredKinds;

  constructor(naming: Naming, level: ApiLevel) {
    this.#all = new StoredKinds(naming);
    this.#ofLevel = new StoredKinds(naming, level);
  }

  async look(definition: ResourceDefinition, objects: StoredObjects): Promise<void> {
    const resource = qualifiedResource(definition);
    let looked = 0;
    for (const { name, value } of objects.of(definition)) {
      try {
        for (const path of this.#hiddenPaths(value)) note(this.hidden, resource, path, name);
      } catch (error) {
        if (!(error instanceof StoredValueError || error instanceof DecodeError)) throw error;
        note(this.unread, resource, error.message, name);
      }
      looked += 1;
      // So that signals can end the command.
      if (looked % objectsPerRound === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #hiddenPaths(value: Uint8Array): ReadonlySet<string> {
    const object = parseJson(storedJson(value, this.#all));
    const paths = new Set<string>();
    if (!isJsonObject(object)) return paths;
    const found = this.#ofLevel.find(typeMetaOf(object));
    if (found.kind !== "built-in") return paths;
    const shown = parseJson(found.codec.toJson(found.codec.fromJson(object)));
    const { apiVersion: _version, kind: _kind, ...members } = object;
    addLosses(members, shown, "", paths);
    return paths;
  }
}

/** Adds the paths that `object` has and `other` lacks; `[*]` stands for any item of a list. */
function addLosses(object: JsonValue, other: JsonValue | undefined, path: string, paths: Set<string>): void {
  if (Array.isArray(object)) {
    const items: readonly JsonValue[] = Array.isArray(other) ? other : [];
    for (const [index, item] of object.entries()) addLosses(item, items[index], `${path}[*]`, paths);
  } else if (isJsonObject(object)) {
    const members = isJsonObject(other) ? other : {};
    for (const [name, value] of Object.entries(object)) {
      // Some types print fields that are not set.
      if (isUnset(value)) continue;
      const at = path === "" ? name : `${path}.${name}`;
      if (members[name] === undefined) paths.add(at);
      else addLosses(value, members[name], at, paths);
    }
  }
}

function isUnset(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function note(of: Map<string, Map<string, SomeObjects>>, resource: string, what: string, name: string): void {
  const known = of.get(resource) ?? new Map<string, SomeObjects>();
  const objects = known.get(what) ?? { count: 0, names: [] };
  objects.count += 1;
  if (objects.names.length < namesMax) objects.names.push(name);
  of.set(resource, known.set(what, objects));
}

import { addToList } from "../../apimachinery/collections/groups.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { collect } from "../../event-loop/collect.js";
import type { PrintedMembers } from "./swagger-part.js";

const reference = "#/definitions/";

/**
 * The contribution of another server's Swagger document: the paths below `prefix`, and the definitions that they refer to. Shared
 * parameters and responses are copied into each path. A definition whose name collides with a different one is renamed, `Thing_v2`, as in
 * kube-aggregator. `kindsKey` is the member of a definition with its groups, versions and kinds.
 */
export async function extensionPart(
  document: JsonObject,
  prefix: string,
  known: PrintedMembers,
  kindsKey: string,
): Promise<{ readonly paths: JsonObject; readonly definitions: JsonObject }> {
  const theirs = isJsonObject(document.definitions) ? document.definitions : {};
  const paths = await collect(pathsBelow(prefix, document));
  const referred = await collect(referencesOfEach(paths));
  const needed = new Map(await collect(reachable(referred, theirs)));
  const names = new Map(await collect(namesFor(needed, { known, theirs, kindsKey })));
  const definitions = await collect(renamed(needed.keys(), { known, theirs, names }));
  const items = await collect(withNewReferences(paths, names));
  return { paths: Object.fromEntries(items), definitions: Object.fromEntries(definitions) };
}

type Member = readonly [name: string, value: JsonValue];

function* pathsBelow(prefix: string, document: JsonObject): Iterable<Member> {
  for (const [path, item] of Object.entries(isJsonObject(document.paths) ? document.paths : {})) {
    if (path === prefix || path.startsWith(`${prefix}/`)) yield [path, withSharedParts(item, document)];
  }
}

function* renamed(
  needed: Iterable<string>,
  {
    known,
    theirs,
    names,
  }: Pick<Collisions, "known" | "theirs"> & { readonly names: ReadonlyMap<string, string> },
): Iterable<Member> {
  for (const name of needed) {
    const named = names.get(name) ?? name;
    if (!known.has(named)) yield [named, withReferences(theirs[name] ?? {}, names)];
  }
}

function* withNewReferences(
  members: readonly Member[],
  names: ReadonlyMap<string, string>,
): Iterable<Member> {
  for (const [name, value] of members) yield [name, withReferences(value, names)];
}

function withSharedParts(item: JsonValue, document: JsonObject): JsonValue {
  if (!isJsonObject(item)) return item;
  const parametersOf = (of: JsonObject) =>
    Array.isArray(of.parameters) && {
      parameters: of.parameters.map((each: JsonValue) => shared("parameters", each, document)),
    };
  const operations = Object.entries(item).map(([name, operation]): [string, JsonValue] => {
    if (!isJsonObject(operation)) return [name, operation];
    const { responses } = operation;
    const responsesOf = isJsonObject(responses) && {
      responses: Object.fromEntries(
        Object.entries(responses).map(([code, each]) => [code, shared("responses", each, document)]),
      ),
    };
    return [name, { ...operation, ...parametersOf(operation), ...responsesOf }];
  });
  return { ...Object.fromEntries(operations), ...parametersOf(item) };
}

function shared(kind: "parameters" | "responses", value: JsonValue, document: JsonObject): JsonValue {
  if (!isJsonObject(value) || typeof value.$ref !== "string") return value;
  const start = `#/${kind}/`;
  const all = document[kind];
  if (!value.$ref.startsWith(start) || !isJsonObject(all)) return value;
  const name = value.$ref.slice(start.length);
  return Object.hasOwn(all, name) ? (all[name] ?? value) : value;
}

/** The definitions that the paths refer to, recursively. */
function* reachable(
  referred: readonly ReadonlySet<string>[],
  definitions: JsonObject,
): Iterable<readonly [name: string, references: ReadonlySet<string>]> {
  const found = new Set<string>();
  const waiting = referred.flatMap((names) => [...names]);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name) || !Object.hasOwn(definitions, name)) continue;
    const references = referencesIn(definitions[name] ?? {});
    found.add(name);
    for (const each of references) waiting.push(each);
    yield [name, references];
  }
}

function* referencesOfEach(members: readonly Member[]): Iterable<ReadonlySet<string>> {
  for (const [, value] of members) yield referencesIn(value);
}

function referencesIn(root: JsonValue): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) waiting.push(item);
    } else if (isJsonObject(value)) {
      const { $ref } = value;
      if (typeof $ref === "string" && $ref.startsWith(reference)) found.add($ref.slice(reference.length));
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
  return found;
}

interface Collisions {
  readonly known: PrintedMembers;
  readonly theirs: JsonObject;
  readonly kindsKey: string;
}

/** New names of definitions; if one gets two, the later counts. A definition that refers to a renamed one differs too. */
function* namesFor(
  needed: ReadonlyMap<string, ReadonlySet<string>>,
  collisions: Collisions,
): Iterable<readonly [name: string, newName: string]> {
  const names = new Map<string, string>();
  const numbers = new Map<string, number>();
  const referring = new Map<string, string[]>();
  for (const [name, references] of needed) {
    for (const each of references) {
      addToList(referring, each, name);
    }
  }
  // Definitions that others refer to come later in `needed`.
  const waiting = new Set([...needed.keys()].reverse());
  for (const name of waiting) {
    waiting.delete(name);
    const value = withReferences(collisions.theirs[name] ?? {}, names);
    const number = nextFree(name, value, numbers.get(name) ?? 1, collisions);
    numbers.set(name, number);
    const newName = numbered(name, number);
    if (newName !== (names.get(name) ?? name)) {
      names.set(name, newName);
      for (const each of referring.get(name) ?? []) waiting.add(each);
    }
    yield [name, newName];
  }
}

/** The first number with which the name is free, or names the same definition. */
function nextFree(
  name: string,
  value: JsonValue,
  first: number,
  { known, theirs, kindsKey }: Collisions,
): number {
  for (let number = first; ; number++) {
    const candidate = numbered(name, number);
    const ours = known.get(candidate);
    if (
      ours === undefined
        ? number === 1 || !Object.hasOwn(theirs, candidate)
        : isSame(ours, candidate, value, kindsKey)
    )
      return number;
  }
}

function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name}_v${number}`;
}

/**
 * Compares members in any order, except for the list of kinds that use the type, which for options and watch events differs between
 * servers. `printed` begins with the name and a colon.
 */
function isSame(printed: Uint8Array, name: string, value: JsonValue, kindsKey: string): boolean {
  const text = Buffer.from(printed)
    .toString("utf8")
    .slice(printJson(name).length + 1);
  return canonical(parseJson(text), kindsKey) === canonical(value, kindsKey);
}

function canonical(value: JsonValue, kindsKey: string): string {
  const compared = isJsonObject(value) ? { ...value, [kindsKey]: undefined } : value;
  return JSON.stringify(compared, (_key, member: unknown) => {
    if (typeof member === "bigint") return String(member);
    return isJsonObject(member)
      ? Object.fromEntries(
          Object.entries(member)
            // Descriptions of the same type differ between servers.
            .filter(([key, each]) => key !== "description" || typeof each !== "string")
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : member;
  });
}

function withReferences(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withReferences(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key !== "$ref" || typeof member !== "string" || !member.startsWith(reference)) {
        return [key, withReferences(member, names)];
      }
      const name = member.slice(reference.length);
      return [key, `${reference}${names.get(name) ?? name}`];
    }),
  );
}

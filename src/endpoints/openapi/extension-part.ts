import { printJson } from "../../apimachinery/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json-value.js";
import type { PrintedMembers } from "./swagger-part.js";

const reference = "#/definitions/";

/**
 * The contribution of another server's Swagger document: the paths below `prefix`, and the definitions that they refer to. A
 * definition whose name collides with a different one is renamed, `Thing_v2`, as in kube-aggregator. `kindsKey` is the member of a
 * definition with its groups, versions and kinds.
 */
export function extensionPart(
  document: JsonObject,
  prefix: string,
  known: PrintedMembers,
  kindsKey: string,
): { readonly paths: JsonObject; readonly definitions: JsonObject } {
  const theirs = isJsonObject(document.definitions) ? document.definitions : {};
  const paths = Object.entries(isJsonObject(document.paths) ? document.paths : {}).filter(
    ([path]) => path === prefix || path.startsWith(`${prefix}/`),
  );
  const needed = reachable(
    paths.map(([, item]) => item),
    theirs,
  );
  const names = new Map<string, string>();
  for (const name of needed) names.set(name, nameFor(name, { known, theirs, kindsKey }));
  const renamed = (value: JsonValue): JsonValue => withReferences(value, names);
  const definitions = [...needed]
    .filter((name) => !known.has(names.get(name) ?? name))
    .map((name): [string, JsonValue] => [names.get(name) ?? name, renamed(theirs[name] ?? {})]);
  return {
    paths: Object.fromEntries(paths.map(([path, item]) => [path, renamed(item)])),
    definitions: Object.fromEntries(definitions),
  };
}

function reachable(roots: readonly JsonValue[], definitions: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting: JsonValue[] = [...roots];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      waiting.push(...value);
    } else if (isJsonObject(value)) {
      const { $ref } = value;
      if (typeof $ref === "string" && $ref.startsWith(reference)) {
        const name = $ref.slice(reference.length);
        const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
        if (definition !== undefined && !found.has(name)) {
          found.add(name);
          waiting.push(definition);
        }
      }
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
  return found;
}

function nameFor(
  name: string,
  { known, theirs, kindsKey }: { known: PrintedMembers; theirs: JsonObject; kindsKey: string },
): string {
  const value = theirs[name] ?? {};
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_v${number}`;
    const ours = known.get(candidate);
    if (ours !== undefined && isSame(ours, candidate, value, kindsKey)) return candidate;
    if (ours === undefined && (number === 1 || !Object.hasOwn(theirs, candidate))) return candidate;
  }
}

/**
 * Members in any order, without the kinds that the type belongs to: those of options and watch events differ between servers. `printed` begins
 * with the name and a colon.
 */
function isSame(printed: Uint8Array, name: string, value: JsonValue, kindsKey: string): boolean {
  const text = Buffer.from(printed)
    .toString("utf8")
    .slice(printJson(name).length + 1);
  return canonical(JSON.parse(text) as JsonValue, kindsKey) === canonical(value, kindsKey); // what was printed is JSON
}

function canonical(value: JsonValue, kindsKey: string): string {
  const compared = isJsonObject(value) ? { ...value, [kindsKey]: undefined } : value;
  return JSON.stringify(compared, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member)
            // Descriptions of the same type differ between servers.
            .filter(([key, each]) => key !== "description" || typeof each !== "string")
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : member,
  );
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

import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ServerClient } from "./server-client.js";

export interface NamedObject {
  /** As `kubectl` takes it: the plural, the singular, a short name or the kind, optionally with `.GROUP`. */
  readonly resource: string;
  /** Unused for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/** The path of an object, found in the server's discovery. Rejects when there is no such resource. */
export async function pathOfObject(
  client: ServerClient,
  { resource, namespace, name }: NamedObject,
): Promise<string> {
  const dot = resource.indexOf(".");
  const word = (dot === -1 ? resource : resource.slice(0, dot)).toLowerCase();
  for (const base of await bases(client, dot === -1 ? undefined : resource.slice(dot + 1))) {
    const found = itemsOf(await client.answer({ method: "GET", path: base }), "resources").find((each) =>
      isNamed(each, word),
    );
    if (found === undefined) continue;
    const place = found.namespaced === true ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${base}${place}/${String(found.name)}/${encodeURIComponent(name)}`;
  }
  throw new Error(`the server has no resource ${JSON.stringify(resource)}`);
}

/** Where the resources of each group are listed, in the server's order; with a group, only of that. */
async function bases(client: ServerClient, group: string | undefined): Promise<readonly string[]> {
  const groups = itemsOf(await client.answer({ method: "GET", path: "/apis" }), "groups");
  const wanted = groups.filter((each) => group === undefined || each.name === group);
  const versions = wanted.flatMap(({ preferredVersion }) => {
    const version = isJsonObject(preferredVersion) ? preferredVersion.groupVersion : undefined;
    return typeof version === "string" ? [`/apis/${version}`] : [];
  });
  return group === undefined ? ["/api/v1", ...versions] : versions;
}

function isNamed({ name, singularName, shortNames, kind }: JsonObject, word: string): boolean {
  if (typeof name !== "string" || name.includes("/")) return false;
  const shorts = Array.isArray(shortNames) ? shortNames : [];
  const isKind = typeof kind === "string" && kind.toLowerCase() === word;
  return name === word || singularName === word || shorts.includes(word) || isKind;
}

function itemsOf(answer: JsonValue, field: string): readonly JsonObject[] {
  const items = isJsonObject(answer) ? answer[field] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

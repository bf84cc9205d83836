import { signal } from "@preact/signals";
import { nameOf } from "../state/session.ts";
import { type Json, listAt, objectAt, textAt } from "./json.ts";
import { pause } from "./pause.ts";
import { getObject, linesOf, messageOf, send } from "./request.ts";

/** A resource in one version, as discovery describes it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  readonly shortNames: readonly string[];
  readonly subresources: ReadonlySet<string>;
}

/** Each resource once, in its group's preferred version. Empty until discovery has answered. */
export const resources = signal<readonly Resource[]>([]);
/** `plural.group` of resources that a custom resource definition declares. */
export const customResources = signal<ReadonlySet<string>>(new Set());
export const discoveryProblem = signal("");

export function groupVersionOf({ group, version }: Pick<Resource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

export function keyOf({ group, plural }: Pick<Resource, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** `/apis/apps/v1/namespaces/default/deployments/web/scale`. */
export function pathOf(
  resource: Pick<Resource, "group" | "version" | "plural">,
  place: { readonly namespace?: string; readonly name?: string; readonly subresource?: string } = {},
): string {
  const { namespace = "", name, subresource } = place;
  const parts = [
    resource.group === "" ? "api" : "apis",
    groupVersionOf(resource),
    ...(namespace === "" ? [] : ["namespaces", encodeURIComponent(namespace)]),
    resource.plural,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.join("/")}`;
}

export function findResource(group: string, plural: string): Resource | undefined {
  return resources.value.find((each) => each.group === group && each.plural === plural);
}

export function findKind(apiVersion: string, kind: string): Resource | undefined {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return resources.value.find((each) => each.group === group && each.kind === kind);
}

/** Discovers what the server serves now. Omits groups whose discovery fails. */
async function discover(): Promise<void> {
  try {
    const groups = await getObject("/apis");
    const versions = [
      { group: "", version: "v1" },
      ...listAt(groups, "groups").flatMap((each) => versionsOf(each)),
    ];
    const lists = await Promise.all(versions.map((each) => resourcesOf(each).catch(() => [])));
    const found = new Map<string, Resource>();
    for (const each of lists.flat()) if (!found.has(keyOf(each))) found.set(keyOf(each), each);
    resources.value = [...found.values()];
    discoveryProblem.value = "";
  } catch (error) {
    discoveryProblem.value = messageOf(error);
  }
}

const settleMs = 200;
const retryMs = 30_000;

/** Keeps `resources` up to date: watches definitions, and polls for other changes. */
export async function followDiscovery(signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await discover();
      // The server serves a resource a moment after its definition appears.
      if (!signal.aborted && awaitsResources() && delayMs < retryMs) again(delayMs * 2);
    }, delayMs);
  };
  const soon = (): void => again(settleMs);
  await discover();
  while (!signal.aborted) {
    await followDefinitions(soon, signal).catch(() => undefined);
    if (signal.aborted) break;
    await pause(retryMs);
    soon();
  }
  clearTimeout(timer);
}

function awaitsResources(): boolean {
  const known = new Set(resources.value.map(keyOf));
  return [...customResources.value].some((each) => !known.has(each));
}

async function followDefinitions(changed: () => void, signal: AbortSignal): Promise<void> {
  const definitions = pathOf({
    group: nameOf("definitionsGroup"),
    version: "v1",
    plural: "customresourcedefinitions",
  });
  const accept = (kind: string) => `application/json;as=${kind};g=${nameOf("metaGroup")};v=v1`;
  for (;;) {
    const list = await getObject(definitions, { signal, accept: accept("PartialObjectMetadataList") });
    const names = new Set(listAt(list, "items").map((item) => textAt(item, "metadata", "name")));
    customResources.value = names;
    // A definition may have been added between the last discovery and this list.
    if (awaitsResources()) changed();
    const version = textAt(list, "metadata", "resourceVersion");
    const answer = await send(`${definitions}?watch=1&resourceVersion=${version}`, {
      signal,
      accept: accept("PartialObjectMetadata"),
    });
    for await (const line of linesOf(answer)) {
      const event: Json = objectAt(JSON.parse(line));
      if (textAt(event, "type") === "ERROR") break;
      const name = textAt(event, "object", "metadata", "name");
      if (textAt(event, "type") === "DELETED") names.delete(name);
      else names.add(name);
      customResources.value = new Set(names);
      changed();
    }
    changed();
    // The watch may have ended at once.
    await pause(settleMs);
  }
}

function versionsOf(group: Json): { group: string; version: string }[] {
  const name = textAt(group, "name");
  const preferred = textAt(group, "preferredVersion", "version");
  const versions = listAt(group, "versions").map((each) => textAt(each, "version"));
  return [preferred, ...versions.filter((version) => version !== preferred)].map((version) => ({
    group: name,
    version,
  }));
}

async function resourcesOf(at: { group: string; version: string }): Promise<Resource[]> {
  const path = at.group === "" ? `/api/${at.version}` : `/apis/${at.group}/${at.version}`;
  const list = listAt(await getObject(path), "resources");
  return list.flatMap((each): Resource[] => {
    const name = textAt(each, "name");
    if (name.includes("/")) return [];
    return [
      {
        ...at,
        plural: name,
        kind: textAt(each, "kind"),
        isNamespaced: objectAt(each).namespaced === true,
        verbs: new Set(listAt(each, "verbs").map(String)),
        shortNames: listAt(each, "shortNames").map(String),
        subresources: new Set(
          list.flatMap((other) => {
            const [of, subresource] = textAt(other, "name").split("/", 2);
            return of === name && subresource !== undefined ? [subresource] : [];
          }),
        ),
      },
    ];
  });
}

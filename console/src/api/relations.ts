import { nameOf } from "../state/session.ts";
import { mayList } from "./access.ts";
import { findKind, pathOf, type Resource, resources } from "./discovery.ts";
import { type Json, listAt, textAt } from "./json.ts";
import { getObject } from "./request.ts";

/** An object among its owners and dependents. */
export interface Relative {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Undefined when the server does not serve the kind. */
  readonly resource: Resource | undefined;
  readonly owners: readonly Owner[];
  /** Whether it is an owner that is named but does not exist. */
  readonly isMissing: boolean;
}

export interface Owner {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Maximum number of objects of one resource that are searched. */
const objectsMax = 5000;
const pageSize = 1000;
const atOnce = 6;

/**
 * The object with its direct and indirect owners and dependents. There is no index of owners, so all objects of the namespace that the
 * user may list are searched once.
 */
export async function relativesOf(
  uid: string,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Relative[]> {
  const found = new Map<string, Relative>();
  const waiting = resources.value.filter(
    ({ verbs, plural, isNamespaced }) =>
      verbs.has("list") && plural !== "events" && (namespace === "" || isNamespaced),
  );
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const resource = next;
      for (const each of await listed(resource, namespace, signal)) found.set(each.uid, each);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return related(uid, found);
}

/** The owners and the dependents of one object. */
export function related(uid: string, all: ReadonlyMap<string, Relative>): readonly Relative[] {
  const dependents = new Map<string, Relative[]>();
  for (const each of all.values())
    for (const { uid: owner } of each.owners) {
      const known = dependents.get(owner);
      if (known === undefined) dependents.set(owner, [each]);
      else known.push(each);
    }
  const chosen = new Map<string, Relative>();
  const down = (each: Relative): void => {
    if (chosen.has(each.uid)) return;
    chosen.set(each.uid, each);
    for (const dependent of dependents.get(each.uid) ?? []) down(dependent);
  };
  const seen = new Set<string>();
  const up = (each: Relative): void => {
    if (seen.has(each.uid)) return;
    seen.add(each.uid);
    for (const owner of each.owners) {
      const above = all.get(owner.uid) ?? missing(owner, each.namespace);
      if (!chosen.has(above.uid)) chosen.set(above.uid, above);
      up(above);
    }
  };
  const self = all.get(uid);
  if (self === undefined) return [];
  down(self);
  up(self);
  return [...chosen.values()];
}

function missing(owner: Owner, namespace: string): Relative {
  const resource = findKind(owner.apiVersion, owner.kind);
  return {
    ...owner,
    namespace: resource?.isNamespaced === false ? "" : namespace,
    resource,
    owners: [],
    isMissing: true,
  };
}

async function listed(
  resource: Resource,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Relative[]> {
  if (!(await mayList(resource, namespace))) return [];
  const accept = `application/json;as=PartialObjectMetadataList;g=${nameOf("metaGroup")};v=v1`;
  const items: Relative[] = [];
  let next = "";
  try {
    do {
      const query = new URLSearchParams({ limit: String(pageSize), ...(next !== "" && { continue: next }) });
      const list = await getObject(`${pathOf(resource, { namespace })}?${query}`, { accept, signal });
      items.push(...listAt(list, "items").map((item) => readRelative(item, resource)));
      next = textAt(list, "metadata", "continue");
    } while (next !== "" && items.length < objectsMax);
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return items;
}

function readRelative(item: Json, resource: Resource): Relative {
  return {
    uid: textAt(item, "metadata", "uid"),
    kind: resource.kind,
    name: textAt(item, "metadata", "name"),
    namespace: textAt(item, "metadata", "namespace"),
    resource,
    owners: listAt(item, "metadata", "ownerReferences").map((owner) => ({
      uid: textAt(owner, "uid"),
      apiVersion: textAt(owner, "apiVersion"),
      kind: textAt(owner, "kind"),
      name: textAt(owner, "name"),
    })),
    isMissing: false,
  };
}

import type { RequestInfo } from "../../apimachinery/requests/request-info.js";

/** The resource that a request names. */
export type Subresource = Pick<RequestInfo, "apiGroup" | "apiVersion" | "resource" | "subresource">;

/** A table by version and subresource. Every request looks up an entry, so no key is built. */
export class ResourceTable<Entry> {
  readonly #groups = new Map<string, Map<string, Map<string, Map<string, Entry>>>>();

  get({ apiGroup, apiVersion, resource, subresource }: Subresource): Entry | undefined {
    return this.#groups.get(apiGroup)?.get(apiVersion)?.get(resource)?.get(subresource);
  }

  set({ apiGroup, apiVersion, resource, subresource }: Subresource, entry: Entry): void {
    const versions = entryOf(this.#groups, apiGroup, () => new Map());
    const resources = entryOf(versions, apiVersion, () => new Map());
    entryOf(resources, resource, () => new Map()).set(subresource, entry);
  }

  /** Removes the entries of a resource in all versions, and returns them. */
  remove({ group, resource }: { readonly group: string; readonly resource: string }): readonly Entry[] {
    const removed: Entry[] = [];
    for (const resources of this.#groups.get(group)?.values() ?? []) {
      removed.push(...(resources.get(resource)?.values() ?? []));
      resources.delete(resource);
    }
    return removed;
  }
}

export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = make();
    map.set(key, entry);
  }
  return entry;
}

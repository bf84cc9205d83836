import type { ServedGroup, ServedResource, ServedVersion } from "../api-catalog.js";
import type { DiscoveryPriority } from "./resource-offer.js";
import { compareVersions } from "./version-order.js";

/** Each resource at its place in groups and versions. What has not changed stays the same object, so that documents can be kept by it. */
export class GroupTable {
  readonly #groups = new Map<string, GroupEntry>();
  #sorted: readonly ServedGroup[] | undefined;

  set(group: string, version: string, resource: ServedResource, priority: DiscoveryPriority): void {
    this.#sorted = undefined;
    let entry = this.#groups.get(group);
    if (entry === undefined) {
      entry = new GroupEntry(group);
      this.#groups.set(group, entry);
    }
    entry.set(version, resource, priority);
  }

  remove(group: string, version: string, resource: string): void {
    const entry = this.#groups.get(group);
    if (entry === undefined) return;
    this.#sorted = undefined;
    entry.remove(version, resource);
    if (entry.isEmpty) this.#groups.delete(group);
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.find(version, resource);
  }

  /** In the order of discovery; the same array until something changes. */
  sorted(): readonly ServedGroup[] {
    this.#sorted ??= [...this.#groups.values()]
      .map((entry) => ({ served: entry.served(), priority: entry.priority }))
      .sort((a, b) => b.priority - a.priority || (a.served.group < b.served.group ? -1 : 1))
      .map(({ served }) => served);
    return this.#sorted;
  }
}

class GroupEntry {
  readonly #group: string;
  readonly #versions = new Map<string, VersionEntry>();
  #served: ServedGroup | undefined;

  constructor(group: string) {
    this.#group = group;
  }

  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  /** The highest that any of its versions asks for. */
  get priority(): number {
    let highest = 0;
    for (const { priority } of this.#versions.values()) highest = Math.max(highest, priority.group);
    return highest;
  }

  set(version: string, resource: ServedResource, priority: DiscoveryPriority): void {
    this.#served = undefined;
    let entry = this.#versions.get(version);
    if (entry === undefined) {
      entry = new VersionEntry(version, priority);
      this.#versions.set(version, entry);
    }
    entry.set(resource);
  }

  remove(version: string, resource: string): void {
    this.#served = undefined;
    const entry = this.#versions.get(version);
    entry?.remove(resource);
    if (entry?.isEmpty === true) this.#versions.delete(version);
  }

  find(version: string, resource: string): ServedResource | undefined {
    return this.#versions.get(version)?.resources.get(resource);
  }

  served(): ServedGroup {
    this.#served ??= {
      group: this.#group,
      versions: [...this.#versions.values()]
        .sort((a, b) => b.priority.version - a.priority.version || compareVersions(a.version, b.version))
        .map((entry) => entry.served()),
    };
    return this.#served;
  }
}

class VersionEntry {
  readonly version: string;
  /** The first resource of a version decides. */
  readonly priority: DiscoveryPriority;
  readonly resources = new Map<string, ServedResource>();
  #served: ServedVersion | undefined;

  constructor(version: string, priority: DiscoveryPriority) {
    this.version = version;
    this.priority = priority;
  }

  get isEmpty(): boolean {
    return this.resources.size === 0;
  }

  set(resource: ServedResource): void {
    this.#served = undefined;
    this.resources.set(resource.definition.resource, resource);
  }

  remove(resource: string): void {
    this.#served = undefined;
    this.resources.delete(resource);
  }

  served(): ServedVersion {
    this.#served ??= {
      version: this.version,
      resources: new Map([...this.resources].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
    return this.#served;
  }
}

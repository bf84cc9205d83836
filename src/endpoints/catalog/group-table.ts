import type { ServedGroup, ServedResource, ServedVersion } from "./api-catalog.js";
import type { ExtensionServer } from "./extension-server.js";
import type { DiscoveryPriority } from "./resource-offer.js";
import { compareVersions } from "./version-order.js";

/** Resources by group and version. Unchanged parts keep their identity, so that documents can be cached by it. */
export class GroupTable {
  readonly #groups = new Map<string, GroupEntry>();
  #sorted: readonly ServedGroup[] | undefined;
  #delegated = 0;

  set(group: string, version: string, resource: ServedResource, priority: DiscoveryPriority): void {
    this.#sorted = undefined;
    this.#entryOf(group).set(version, resource, priority);
  }

  #entryOf(group: string): GroupEntry {
    let entry = this.#groups.get(group);
    if (entry === undefined) {
      entry = new GroupEntry(group);
      this.#groups.set(group, entry);
    }
    return entry;
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

  delegate(group: string, version: string, extension: ExtensionServer, priority: DiscoveryPriority): void {
    this.undelegate(group, version);
    this.#sorted = undefined;
    this.#delegated++;
    this.#entryOf(group).delegate(version, extension, priority);
  }

  undelegate(group: string, version: string): void {
    const entry = this.#groups.get(group);
    if (entry?.undelegate(version) !== true) return;
    this.#delegated--;
    this.#sorted = undefined;
    if (entry.isEmpty) this.#groups.delete(group);
  }

  extension(group: string, version: string): ExtensionServer | undefined {
    // Most servers have no extension servers.
    return this.#delegated === 0 ? undefined : this.#groups.get(group)?.extension(version);
  }

  /** The priority of a version that is served here; undefined otherwise. */
  localVersion(group: string, version: string): DiscoveryPriority | undefined {
    return this.#groups.get(group)?.localVersion(version);
  }

  *localVersions(): Iterable<{ group: string; version: string; priority: DiscoveryPriority }> {
    for (const [group, entry] of this.#groups) {
      for (const { version, priority } of entry.localVersions()) yield { group, version, priority };
    }
  }

  group(name: string): ServedGroup | undefined {
    return this.#groups.get(name)?.served();
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

  /** The highest priority that one of its versions requests. */
  get priority(): number {
    let highest = 0;
    for (const version of this.#versions.values()) {
      highest = Math.max(highest, version.place.group);
    }
    return highest;
  }

  set(version: string, resource: ServedResource, priority: DiscoveryPriority): void {
    this.#served = undefined;
    const entry = this.#entryOf(version, priority);
    if (entry.resources.size === 0) entry.priority = priority;
    entry.set(resource);
  }

  delegate(version: string, extension: ExtensionServer, priority: DiscoveryPriority): void {
    this.#served = undefined;
    this.#entryOf(version, priority).delegate({ extension, priority });
  }

  /** Whether the version was delegated. */
  undelegate(version: string): boolean {
    const entry = this.#versions.get(version);
    if (entry?.delegation === undefined) return false;
    this.#served = undefined;
    entry.delegate(undefined);
    if (entry.isEmpty) this.#versions.delete(version);
    return true;
  }

  extension(version: string): ExtensionServer | undefined {
    return this.#versions.get(version)?.delegation?.extension;
  }

  localVersion(version: string): DiscoveryPriority | undefined {
    const entry = this.#versions.get(version);
    return entry === undefined || entry.resources.size === 0 ? undefined : entry.priority;
  }

  *localVersions(): Iterable<{ version: string; priority: DiscoveryPriority }> {
    for (const { version, priority, resources } of this.#versions.values()) {
      if (resources.size > 0) yield { version, priority };
    }
  }

  #entryOf(version: string, priority: DiscoveryPriority): VersionEntry {
    let entry = this.#versions.get(version);
    if (entry === undefined) {
      entry = new VersionEntry(version, priority);
      this.#versions.set(version, entry);
    }
    return entry;
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
        .sort((a, b) => b.place.version - a.place.version || compareVersions(a.version, b.version))
        .map((entry) => entry.served()),
    };
    return this.#served;
  }
}

interface Delegation {
  readonly extension: ExtensionServer;
  readonly priority: DiscoveryPriority;
}

class VersionEntry {
  readonly version: string;
  /** The first resource decides. */
  priority: DiscoveryPriority;
  readonly resources = new Map<string, ServedResource>();
  delegation: Delegation | undefined;
  #served: ServedVersion | undefined;

  constructor(version: string, priority: DiscoveryPriority) {
    this.version = version;
    this.priority = priority;
  }

  get isEmpty(): boolean {
    return this.resources.size === 0 && this.delegation === undefined;
  }

  get place(): DiscoveryPriority {
    return this.delegation?.priority ?? this.priority;
  }

  delegate(delegation: Delegation | undefined): void {
    this.#served = undefined;
    this.delegation = delegation;
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
    if (this.#served !== undefined) return this.#served;
    const { version, delegation } = this;
    if (delegation !== undefined) {
      this.#served = { version, resources: new Map(), extension: delegation.extension };
      return this.#served;
    }
    this.#served = {
      version,
      resources: new Map([...this.resources].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
    return this.#served;
  }
}

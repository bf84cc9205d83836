import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { qualifiedResource } from "../../apimachinery/errors/status.js";
import type { GroupVersion, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { RegistryRandom } from "../../registry/generic/before-create.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import type { ApiCatalog, ServedGroup, ServedResource } from "./api-catalog.js";
import type { ExtensionServer } from "./extension-server.js";
import { GroupTable } from "./group-table.js";
import { KnownKinds } from "./known-kinds.js";
import { type OpenStore, openHandle, type ResourceHandle } from "./resource-handle.js";
import {
  type CatalogChange,
  type CatalogSource,
  customResourcePriority,
  type DiscoveryPriority,
  type ResourceOffer,
} from "./resource-offer.js";

export interface LiveCatalogParts {
  readonly openStore: OpenStore;
  readonly storageMediaType: "protobuf" | "json";
  readonly random: RegistryRandom;
  /** `--enable-garbage-collector`. */
  readonly garbageCollection: boolean;
  /** The gate RetryGenerateName. */
  readonly retriesGeneratedNames: boolean;
  /** The environment of all endpoints, created when the first resource is offered. */
  readonly endpoints: () => { readonly admission: AdmissionChain; readonly settings: EndpointSettings };
}

/** What a change of the catalog added and removed. A replaced resource is in both. */
export interface HandleChange {
  readonly added: readonly ResourceHandle[];
  readonly removed: readonly ResourceHandle[];
}

/** Called synchronously after the catalog has changed and before removed resources are closed. Must not throw. */
export type CatalogListener = (change: HandleChange) => void;

/** All resources of a server, as offered by its sources. */
export class LiveCatalog implements ApiCatalog {
  readonly #parts: LiveCatalogParts;
  readonly #table = new GroupTable();
  readonly #kinds = new KnownKinds();
  readonly #handles = new Map<string, Owned>();
  readonly #listeners = new Set<CatalogListener>();

  constructor(parts: LiveCatalogParts) {
    this.#parts = parts;
  }

  groups(): readonly ServedGroup[] {
    return this.#table.sorted();
  }

  group(name: string): ServedGroup | undefined {
    return this.#table.group(name);
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#table.find(group, version, resource);
  }

  extension(group: string, version: string): ExtensionServer | undefined {
    return this.#table.extension(group, version);
  }

  /** The versions that this server serves itself, with their priorities in discovery. */
  localVersions(): Iterable<GroupVersion & { readonly priority: DiscoveryPriority }> {
    return this.#table.localVersions();
  }

  /** The priority of a version that this server serves itself; undefined for any other. */
  localVersion(group: string, version: string): DiscoveryPriority | undefined {
    return this.#table.localVersion(group, version);
  }

  handle(group: string, resource: string): ResourceHandle | undefined {
    return this.#handles.get(qualifiedResource({ group, resource }))?.handle;
  }

  /** The plural name of a kind that this server serves in the version. */
  resourceOf({ group, version, kind }: GroupVersionKind): string | undefined {
    for (const { definition, served } of this.handles()) {
      if (definition.group === group && definition.kind === kind && served.has(version))
        return definition.resource;
    }
    return undefined;
  }

  *handles(): Iterable<ResourceHandle> {
    for (const { handle } of this.#handles.values()) yield handle;
  }

  /** Throws for a resource that is not stored. */
  registry(group: string, resource: string): ResourceRegistry {
    const registry = this.handle(group, resource)?.registry;
    if (registry === undefined) throw new Error(`no registry of ${qualifiedResource({ group, resource })}`);
    return registry;
  }

  *registries(): Iterable<ResourceRegistry> {
    for (const { handle } of this.#handles.values()) if (handle.registry !== undefined) yield handle.registry;
  }

  /** Whether any version of a resource, served or not, has this kind, or is a list of it. */
  isKnownType(type: TypeMeta): boolean {
    return this.#kinds.has(type);
  }

  /** Calls `listener` with each change until the returned function is called. */
  subscribe(listener: CatalogListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** `name` appears in messages. */
  source(name: string): CatalogSource {
    return { publish: (change) => this.#publish(name, change) };
  }

  #publish(source: string, change: CatalogChange): void {
    const { offered = [], withdrawn = [], delegated = [], undelegated = [] } = change;
    const added = this.#open(source, offered);
    const removed = new Map<string, ResourceHandle>();
    for (const named of [...withdrawn, ...offered.map(({ definition }) => definition)]) {
      const name = qualifiedResource(named);
      const former = this.#handles.get(name);
      if (former?.source === source) removed.set(name, former.handle);
    }
    for (const [name, handle] of removed) this.#remove(name, handle);
    for (const handle of added) this.#add(source, handle);
    for (const { group, version } of undelegated) this.#table.undelegate(group, version);
    for (const { group, version, extension, priority } of delegated) {
      this.#table.delegate(group, version, extension, priority);
    }
    const handles = { added, removed: [...removed.values()] };
    for (const listener of this.#listeners) listener(handles);
    for (const handle of removed.values()) handle.close();
  }

  /** Opens all handles or none: when one fails, those already opened are closed. */
  #open(source: string, offers: readonly ResourceOffer[]): ResourceHandle[] {
    const opened = new Map<ResourceDefinition, ResourceHandle>();
    try {
      // Owners first, because other resources store their objects in the owner's form.
      for (const offer of [...offers].sort((a, b) => rank(a) - rank(b))) {
        const owner = this.#handles.get(qualifiedResource(offer.definition));
        if (owner !== undefined && owner.source !== source) {
          throw new Error(`${owner.source} offers ${qualifiedResource(offer.definition)} already`);
        }
        const parts = { ...this.#parts, ...this.#parts.endpoints() };
        opened.set(offer.definition, openHandle(offer, parts, ownerOf(offer.definition, opened)));
      }
    } catch (error) {
      for (const handle of opened.values()) handle.close();
      throw error;
    }
    return offers.flatMap(({ definition }) => opened.get(definition) ?? []);
  }

  #add(source: string, handle: ResourceHandle): void {
    const { definition, served } = handle;
    this.#handles.set(qualifiedResource(definition), { source, handle });
    this.#kinds.add(definition);
    for (const [version, { offered, resource }] of served) {
      this.#table.set(definition.group, version, resource, offered.priority ?? customResourcePriority);
    }
  }

  #remove(name: string, { definition, served }: ResourceHandle): void {
    this.#handles.delete(name);
    this.#kinds.remove(definition);
    for (const version of served.keys()) this.#table.remove(definition.group, version, definition.resource);
  }
}

interface Owned {
  readonly source: string;
  readonly handle: ResourceHandle;
}

function rank({ definition }: ResourceOffer): number {
  return definition.storage?.group === undefined ? 0 : 1;
}

/** The handle that stores the objects: another one for a resource that two groups serve. */
function ownerOf(
  { storage, resource, group }: ResourceDefinition,
  opened: ReadonlyMap<ResourceDefinition, ResourceHandle>,
): ResourceHandle | undefined {
  if (storage?.group === undefined) return undefined;
  for (const [definition, handle] of opened) {
    if (definition.group === storage.group && definition.storage?.prefix === storage.prefix) return handle;
  }
  throw new Error(`nothing stores ${qualifiedResource({ group, resource })}`);
}

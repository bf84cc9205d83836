import type { AdmissionChain } from "../admission/admission-chain.js";
import type { ApiObject } from "../apimachinery/meta.js";
import { qualifiedResource } from "../apimachinery/status.js";
import type { ResourceDefinition } from "../apis/definition/resource-definition.js";
import type { EndpointSettings, ResourceEndpoint } from "../endpoints/resource-endpoint.js";
import { createResourceCodec } from "../registry/generic/resource-codec.js";
import {
  type RegistryHooks,
  type RegistryRandom,
  ResourceRegistry,
} from "../registry/generic/resource-registry.js";
import { createVersionedView } from "../registry/generic/versioned-view.js";
import type { ObjectCodec, ObjectStore } from "../storage/object-store.js";

/** Opens the store of one resource: cached or not, encrypted or not. */
export type OpenStore = (
  definition: ResourceDefinition,
  codec: ObjectCodec<ApiObject>,
) => ObjectStore<ApiObject>;

export interface ResourceSetParts {
  readonly definitions: readonly ResourceDefinition[];
  readonly storageMediaType: "protobuf" | "json";
  readonly openStore: OpenStore;
  readonly random: RegistryRandom;
  /** `--enable-garbage-collector`. */
  readonly garbageCollection: boolean;
  readonly hooksOf: (definition: ResourceDefinition) => RegistryHooks<ApiObject> | undefined;
}

/** The registry of every stored resource, by `resource.group`. */
export class ResourceSet {
  readonly #registries = new Map<string, ResourceRegistry>();

  constructor(parts: ResourceSetParts) {
    const opened = new Map<ResourceDefinition, OpenedStore>();
    for (const definition of parts.definitions) {
      if (definition.storage === undefined) continue;
      const owner = ownerOf(definition, parts.definitions);
      const { codec, store } = opened.get(owner) ?? openStore(owner, parts);
      opened.set(owner, { codec, store });
      const { random, garbageCollection } = parts;
      const hooks = parts.hooksOf(definition);
      this.#registries.set(
        qualifiedResource(definition),
        new ResourceRegistry({ definition, store, codec, random, hooks, garbageCollection }),
      );
    }
  }

  /** Throws for a resource that is not stored. */
  registry(group: string, resource: string): ResourceRegistry {
    const registry = this.#registries.get(qualifiedResource({ group, resource }));
    if (registry === undefined) throw new Error(`no registry of ${qualifiedResource({ group, resource })}`);
    return registry;
  }

  registries(): Iterable<ResourceRegistry> {
    return this.#registries.values();
  }

  /** The endpoint of one version. */
  endpoint(
    definition: ResourceDefinition,
    version: ResourceDefinition["versions"][number],
    admission: AdmissionChain,
    settings: EndpointSettings,
  ): ResourceEndpoint | undefined {
    const registry = this.#registries.get(qualifiedResource(definition));
    if (registry === undefined) return undefined;
    return { registry, view: createVersionedView(definition, version), admission, settings };
  }
}

interface OpenedStore {
  readonly codec: ObjectCodec<ApiObject>;
  readonly store: ObjectStore<ApiObject>;
}

function openStore(definition: ResourceDefinition, parts: ResourceSetParts): OpenedStore {
  const codec = createResourceCodec(definition, parts.storageMediaType);
  return { codec, store: parts.openStore(definition, codec) };
}

/** The definition in whose form the objects are stored: another one for a resource that is served by two groups. */
function ownerOf(definition: ResourceDefinition, all: readonly ResourceDefinition[]): ResourceDefinition {
  const { storage } = definition;
  if (storage?.group === undefined) return definition;
  const owner = all.find((d) => d.group === storage.group && d.storage?.prefix === storage.prefix);
  if (owner === undefined) throw new Error(`nothing stores ${qualifiedResource(definition)}`);
  return owner;
}

import type { AdmissionChain } from "../admission/admission-chain.js";
import type { ApiObject } from "../apimachinery/meta.js";
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
  readonly hooksOf: (definition: ResourceDefinition) => RegistryHooks<ApiObject> | undefined;
}

/** The registry of every stored resource, by `resource.group`. */
export class ResourceSet {
  readonly #registries = new Map<string, ResourceRegistry>();

  constructor(parts: ResourceSetParts) {
    for (const definition of parts.definitions) {
      if (definition.storage === undefined) continue;
      const codec = createResourceCodec(definition, parts.storageMediaType);
      const store = parts.openStore(definition, codec);
      const hooks = parts.hooksOf(definition);
      this.#registries.set(
        nameOf(definition),
        new ResourceRegistry({ definition, store, codec, random: parts.random, hooks }),
      );
    }
  }

  /** Throws for a resource that is not stored. */
  registry(group: string, resource: string): ResourceRegistry {
    const registry = this.#registries.get(nameOf({ group, resource }));
    if (registry === undefined) throw new Error(`no registry of ${nameOf({ group, resource })}`);
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
    const registry = this.#registries.get(nameOf(definition));
    if (registry === undefined) return undefined;
    return { registry, view: createVersionedView(definition, version), admission, settings };
  }
}

function nameOf(of: { readonly group: string; readonly resource: string }): string {
  return of.group === "" ? of.resource : `${of.resource}.${of.group}`;
}

import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { RegistryRandom } from "../../registry/generic/before-create.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import type { ObjectCodec, ObjectStore } from "../../storage/object-store.js";
import type { EndpointSettings, ResourceEndpoint } from "../resource/resource-endpoint.js";
import type { ServedResource } from "./api-catalog.js";
import type { OfferedVersion, ResourceOffer } from "./resource-offer.js";

/** Everything a server holds for one resource, from its definition to its store. */
export interface ResourceHandle {
  readonly definition: ResourceDefinition;
  /** Undefined for virtual resources, which are not stored. */
  readonly registry: ResourceRegistry | undefined;
  readonly stored: StoredForm | undefined;
  /** By version, as far as the resource is served. */
  readonly served: ReadonlyMap<
    string,
    { readonly offered: OfferedVersion; readonly resource: ServedResource }
  >;
  /** Ends its watches and frees its cache, the cache's feed and its metrics. Later reads go directly to the store. */
  close(): void;
}

/** A store and the codec of its objects. */
export interface StoredForm {
  readonly codec: ObjectCodec<ApiObject>;
  readonly store: ObjectStore<ApiObject>;
}

/** The store of one resource, cached or not, encrypted or not. */
export interface OpenedStore {
  readonly store: ObjectStore<ApiObject>;
  /** Ends its watches and frees its memory; the store still serves requests in progress. */
  readonly close: () => void;
}

/** Opens the store of a resource, which uses almost no memory before its first use. */
export type OpenStore = (definition: ResourceDefinition, codec: ObjectCodec<ApiObject>) => OpenedStore;

export interface HandleParts {
  readonly openStore: OpenStore;
  readonly storageMediaType: "protobuf" | "json";
  readonly random: RegistryRandom;
  readonly garbageCollection: boolean;
  readonly retriesGeneratedNames: boolean;
  readonly admission: AdmissionChain;
  readonly settings: EndpointSettings;
}

/** `owner` is the handle that stores the objects, if it is another one. */
export function openHandle(
  offer: ResourceOffer,
  parts: HandleParts,
  owner: ResourceHandle | undefined,
): ResourceHandle {
  const { definition, hooks } = offer;
  const { random, garbageCollection, retriesGeneratedNames, admission, settings } = parts;
  const own = owner === undefined ? openOwnStore(offer, parts) : undefined;
  const stored = owner?.stored ?? own;
  const registry =
    stored &&
    new ResourceRegistry({
      ...stored,
      definition,
      random,
      hooks,
      garbageCollection,
      retriesGeneratedNames,
      fieldTracking: settings.fieldTracking,
    });
  const served = offer.served.map((offered) => {
    const resource = new OpenedVersion(definition, offered, registry && { registry, admission, settings });
    return [offered.version.version, { offered, resource }] as const;
  });
  return { definition, registry, stored, served: new Map(served), close: () => own?.close() };
}

/** Most versions are never requested, so handlers are created at the first request. */
class OpenedVersion implements ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: OfferedVersion["version"];
  readonly deprecationWarning: ServedResource["deprecationWarning"];
  readonly deprecationAnnotations: ServedResource["deprecationAnnotations"];
  readonly operations: ServedResource["operations"];
  readonly connections: ServedResource["connections"];
  readonly schema: ServedResource["schema"];
  readonly fingerprint: ServedResource["fingerprint"];
  readonly #parts: Omit<ResourceEndpoint, "view"> | undefined;
  #endpoint: ResourceEndpoint | undefined;

  constructor(
    definition: ResourceDefinition,
    offered: OfferedVersion,
    parts: Omit<ResourceEndpoint, "view"> | undefined,
  ) {
    this.definition = definition;
    this.version = offered.version;
    this.deprecationWarning = offered.deprecationWarning;
    this.deprecationAnnotations = offered.deprecationAnnotations;
    this.operations = offered.operations ?? new Map();
    this.connections = offered.connections;
    this.schema = offered.schema;
    this.fingerprint = offered.fingerprint;
    this.#parts = parts;
  }

  get endpoint(): ResourceEndpoint | undefined {
    if (this.#endpoint === undefined && this.#parts !== undefined) {
      this.#endpoint = { ...this.#parts, view: createVersionedView(this.definition, this.version) };
    }
    return this.#endpoint;
  }
}

function openOwnStore(
  { definition, codec: given }: ResourceOffer,
  { openStore, storageMediaType, settings }: HandleParts,
): (StoredForm & OpenedStore) | undefined {
  if (definition.storage === undefined) return undefined;
  const codec =
    given ??
    createResourceCodec(definition, storageMediaType, { selectsUids: settings.shards !== undefined });
  const { store, close } = openStore(definition, codec);
  return { codec, store, close };
}

import type { JsonObject } from "../../apimachinery/json-value.js";
import type { ApiObject } from "../../apimachinery/meta.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { RegistryHooks } from "../../registry/generic/resource-registry.js";
import type { ObjectCodec } from "../../storage/object-store.js";
import type { ConnectHandler } from "../connect/connect-handler.js";
import type { OperationHandler } from "../operation.js";
import type { ExtensionServer } from "./extension-server.js";

/** A resource that a source wants served. Immutable: a change is another offer of the same resource. */
export interface ResourceOffer {
  readonly definition: ResourceDefinition;
  /** Those of the definition's versions that clients may use; with none the resource is stored and not served. */
  readonly served: readonly OfferedVersion[];
  /** How objects are written down; by the definition's storage version and the configured media type unless given. */
  readonly codec?: ObjectCodec<ApiObject> | undefined;
  /** What the kind does around its writes. */
  readonly hooks?: RegistryHooks<ApiObject> | undefined;
}

export interface OfferedVersion {
  /** One of `definition.versions`. */
  readonly version: VersionDefinition;
  /** Where group and version stand in discovery. Default: behind every built-in group. */
  readonly priority?: DiscoveryPriority | undefined;
  /** What clients are told who use a version that is going away. */
  readonly deprecationWarning?: string | undefined;
  /** What audit events of its requests are annotated with. */
  readonly deprecationAnnotations?: ReadonlyMap<string, string> | undefined;
  /** By verb for the resource itself, by `subresource` and `subresource/verb` below it; they replace what the verb does else. */
  readonly operations?: ReadonlyMap<string, OperationHandler> | undefined;
  /** Subresources that another server answers: `subresource/verb`, or `subresource` for any method. */
  readonly connections?: ReadonlyMap<string, ConnectHandler> | undefined;
  /** OpenAPI 3 schema of a kind that has no declared type; `{}` for one whose fields are not known. */
  readonly schema?: (() => JsonObject) | undefined;
}

/**
 * Larger comes first, of groups and then of the versions of a group. Equal groups are sorted by name, equal versions from `v2` over
 * `v1` to `v1beta1`.
 */
export interface DiscoveryPriority {
  readonly group: number;
  readonly version: number;
}

/** As the controller that registers custom resources sets it. Source: kube-apiserver 1.23, crdregistration. */
export const customResourcePriority: DiscoveryPriority = { group: 1000, version: 100 };

/** What a source has to say at once: everybody sees all of it or nothing. */
export interface CatalogChange {
  /** An offer of a resource that the source offers already takes the place of the former one, whose watches end. */
  readonly offered?: readonly ResourceOffer[] | undefined;
  /** Resources that are no longer served. Those that the source does not offer are ignored. */
  readonly withdrawn?: readonly OfferedResource[] | undefined;
  /** Versions that another server answers for, whatever resources of them are offered. One that is delegated already is replaced. */
  readonly delegated?: readonly DelegatedVersion[] | undefined;
  readonly undelegated?: readonly GroupVersion[] | undefined;
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface DelegatedVersion extends GroupVersion {
  readonly priority: DiscoveryPriority;
  readonly extension: ExtensionServer;
}

export interface OfferedResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * One origin of resources: the built-in kinds, the custom resource definitions, a test. Got from `LiveCatalog.source`. `publish` is
 * synchronous: when it returns, requests, discovery, OpenAPI, controllers and metrics go by the change; what it took away has been closed, which
 * ends its watches. Requests that were under way finish on the store. Throws, and changes nothing, when another source offers one of
 * the resources, or when a store cannot be opened.
 */
export interface CatalogSource {
  publish(change: CatalogChange): void;
}

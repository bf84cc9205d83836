import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject, GroupVersion } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { RegistryHooks } from "../../registry/generic/write-stages.js";
import type { ObjectCodec } from "../../storage/object-store.js";
import type { ConnectHandler } from "../connect/connect-handler.js";
import type { OperationHandler } from "../resource/operation.js";
import type { ExtensionServer } from "./extension-server.js";

/** A resource that a source offers. Immutable: a change is another offer of the same resource. */
export interface ResourceOffer {
  readonly definition: ResourceDefinition;
  /** The definition's versions that clients may use; without any the resource is stored but not served. */
  readonly served: readonly OfferedVersion[];
  /** Codec of stored objects; default by the definition's storage version and the configured media type. */
  readonly codec?: ObjectCodec<ApiObject> | undefined;
  /** The kind's registry hooks. */
  readonly hooks?: RegistryHooks<ApiObject> | undefined;
}

export interface OfferedVersion {
  /** One of `definition.versions`. */
  readonly version: VersionDefinition;
  /** Priority of group and version in discovery. Default: after every built-in group. */
  readonly priority?: DiscoveryPriority | undefined;
  /** The warning for clients of a deprecated version. */
  readonly deprecationWarning?: string | undefined;
  /** The audit annotation of its requests. */
  readonly deprecationAnnotations?: ReadonlyMap<string, string> | undefined;
  /**
   * By verb for the resource itself, by `subresource` and `subresource/verb` below it; they replace the generic verb.
   */
  readonly operations?: ReadonlyMap<string, OperationHandler> | undefined;
  /** Subresources that another server answers: `subresource/verb`, or `subresource` for any method. */
  readonly connections?: ReadonlyMap<string, ConnectHandler> | undefined;
  /** OpenAPI 3 schema of a kind without a declared type; `{}` when its fields are unknown. */
  readonly schema?: (() => JsonObject) | undefined;
  /** A text that stays the same as long as documents say the same about the resource. Without it they are compared. */
  readonly fingerprint?: (() => string) | undefined;
}

/**
 * Larger comes first, among groups and then among the versions of a group. Equal groups are sorted by name, equal versions from `v2` over
 * `v1` to `v1beta1`.
 */
export interface DiscoveryPriority {
  readonly group: number;
  readonly version: number;
}

/** As the controller that registers custom resources sets it. Source: kube-apiserver 1.23, crdregistration. */
export const customResourcePriority: DiscoveryPriority = { group: 1000, version: 100 };

/** Changes that a source publishes together: everyone sees all or none of them. */
export interface CatalogChange {
  /** An offer of an already offered resource replaces the former one, whose watches end. */
  readonly offered?: readonly ResourceOffer[] | undefined;
  /** Resources to remove. Resources that the source does not offer are ignored. */
  readonly withdrawn?: readonly OfferedResource[] | undefined;
  /** Versions that another server serves, whatever resources are offered. Replaces an earlier delegation. */
  readonly delegated?: readonly DelegatedVersion[] | undefined;
  readonly undelegated?: readonly GroupVersion[] | undefined;
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
 * One origin of resources: the built-in kinds, the custom resource definitions, a test. Obtained from `LiveCatalog.source`. `publish`
 * is synchronous: when it returns, requests, discovery, OpenAPI, controllers and metrics reflect the change, and what it removed has
 * been closed, which ends its watches. Requests in progress finish on the store. Throws, and changes nothing, when another source
 * offers one of the resources, or when a store cannot be opened.
 */
export interface CatalogSource {
  publish(change: CatalogChange): void;
}

import type { ApiObject, GroupVersionKind } from "../../apimachinery/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { Strategy } from "./strategy.js";
import type { TableColumns } from "./table-columns.js";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/**
 * One resource type: how it is named, served, stored and written. `T` is the hub version's object form, which every other
 * version converts to and from; strategies, columns and selectable fields see the hub only.
 */
export interface ResourceDefinition<T extends ApiObject = ApiObject> {
  /** Full name in the profile's words, empty for core. */
  readonly group: string;
  /** Lower-case plural as in the path: `pods`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  /** All versions it can be served in, in order of priority. Exactly one has `hub: true`. */
  readonly versions: readonly VersionDefinition<T>[];
  /** The hub version where it is none of `versions`: that of the group whose objects these are. */
  readonly hub?: VersionDefinition<T> | undefined;
  /** Undefined for virtual resources, which stand for an operation. */
  readonly storage: StorageDefinition | undefined;
  /** Sets, in place, what objects of the store lack that an older server wrote; not done to what clients send. */
  setReadDefaults?(object: T): void;
  readonly strategy: Strategy<T>;
  /** Finalizers without a domain that are good for this kind besides those of the garbage collector; any are unless set. */
  readonly standardFinalizers?: readonly string[] | undefined;
  /** A delete that removes answers with the object; otherwise with a `Status`. */
  readonly returnsDeletedObject?: boolean | undefined;
  readonly subresources: readonly SubresourceDefinition<T>[];
  /** Besides metadata.name and metadata.namespace; the key set is what field selectors may name. */
  readonly selectableFields: SelectableFields<T>;
  /** Other resources that serve the same objects, from the same store. */
  readonly equivalents?: (() => readonly ResourceDefinition[]) | undefined;
  /** Undefined is the default table of two columns. */
  readonly columns: TableColumns<T> | undefined;
}

export interface StorageDefinition {
  /**
   * Set where the objects are those of a resource in another group, under the same prefix: that definition encodes them, this
   * one has no hub and all its versions convert to the other's hub form. Only events.
   */
  readonly group?: string | undefined;
  /** Version that is written to the store; may differ from the hub. */
  readonly version: string;
  /** Below the store prefix: `/pods`, `/services/specs`, `/minions`. */
  readonly prefix: string;
}

export interface VersionDefinition<T extends ApiObject = ApiObject> {
  readonly version: string;
  /** Of this version's own form. */
  readonly codec: Codec<ApiObject>;
  /** False for extension types, which clients are sent as JSON and YAML only. */
  readonly hasProtobuf?: boolean | undefined;
  readonly enabledByDefault: boolean;
  /** Sets the version's defaults on a decoded object, in place. */
  setDefaults(object: ApiObject): void;
  readonly conversion: VersionConversion<T>;
  /** Of a kind whose versions differ in them; those of the kind unless given. Columns see objects of the version. */
  readonly columns?: TableColumns<ApiObject> | undefined;
  readonly subresources?: readonly SubresourceDefinition<T>[] | undefined;
  /** Names of the kind's selectable fields that a selector in this version may use. */
  readonly selectableFields?: readonly string[] | undefined;
  /** Minor versions of Kubernetes' 1.x line. */
  readonly lifecycle?: Lifecycle | undefined;
}

export interface Lifecycle {
  readonly introduced?: string | undefined;
  readonly deprecated?: string | undefined;
  readonly removed?: string | undefined;
  readonly replacement?: GroupVersionKind | undefined;
}

export type VersionConversion<T> =
  | { readonly hub: true }
  | {
      readonly hub: false;
      /** Both may reuse parts of their argument, which the caller gives up. */
      toHub(object: ApiObject): T;
      fromHub(hub: T): ApiObject;
      /** Whether the body of a stored object is that of this version too; never unless given. */
      sharesBody?(stored: StoredObject<T>): boolean;
      /** For a conversion that takes a call (see `ConversionNeeded`): many objects at once. */
      fromHubs?(hubs: readonly T[], signal: AbortSignal): Promise<readonly ApiObject[]>;
    };

export interface SelectableFields<T> {
  readonly names: readonly string[];
  /** Value of each of `names`, "" when unset. */
  values(object: T): Record<string, string>;
}

export type SubresourceDefinition<T extends ApiObject = ApiObject> =
  /** A part of the same object: status, finalize, approval, ephemeralcontainers. */
  | {
      readonly kind: "part";
      readonly name: string;
      readonly verbs: readonly Verb[];
      readonly strategy: Strategy<T>;
    }
  /** The autoscaling/v1 Scale view of a workload. */
  | {
      readonly kind: "scale";
      readonly name: "scale";
      readonly verbs: readonly Verb[];
      readonly scale: ScaleView<T>;
    }
  /**
   * An operation of its own, whose body or answer is of another kind: binding, eviction, token, log, exec, proxy. The registry
   * supplies the behaviour by name.
   */
  | {
      readonly kind: "operation";
      readonly name: string;
      readonly verbs: readonly Verb[];
      /** Kind in discovery; group and version empty when they are the parent's. */
      readonly object: GroupVersionKind;
    };

export interface ScaleView<T> {
  specReplicas(object: T): number;
  statusReplicas(object: T): number;
  /** Canonical label selector text. */
  selector(object: T): string;
  setSpecReplicas(object: T, replicas: number): void;
  /** Where every version of the kind has the count; `["spec", "replicas"]` unless set. */
  readonly specReplicasPath?: readonly string[] | undefined;
}

/** The subresources that a version serves. */
export function subresourcesOf<T extends ApiObject>(served: {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
}): readonly SubresourceDefinition<T>[] {
  return served.version.subresources ?? served.definition.subresources;
}

/** Names of the fields that a selector may use in a version, besides metadata.name and metadata.namespace. */
export function selectableFieldsOf<T extends ApiObject>(served: {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
}): readonly string[] {
  return served.version.selectableFields ?? served.definition.selectableFields.names;
}

/** Version of the hub form. */
export function hubVersion<T extends ApiObject>(definition: ResourceDefinition<T>): VersionDefinition<T> {
  const hub = definition.hub ?? definition.versions.find((v) => v.conversion.hub);
  if (hub === undefined) throw new Error(`${definition.resource} has no hub version`);
  return hub;
}

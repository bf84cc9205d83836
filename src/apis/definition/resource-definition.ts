import type { Blanks } from "../../apimachinery/json/json-blank.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel, Before, LevelRange } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ConversionScope, ReadScope } from "../../apimachinery/objects/conversion-scope.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { type ApiObject, apiVersionOf, type GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import type { StructuralSchema } from "../../apimachinery/structural-schema/structural-schema.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { GatedFields } from "./gated-fields.js";
import type { Strategy } from "./strategy.js";
import type { TableColumns } from "./table-columns.js";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/**
 * A resource: its names, versions, storage and strategy. `T` is the object form of the hub version, which all other versions convert
 * to and from; strategies, columns and selectable fields use the hub only.
 */
export interface ResourceDefinition<T extends ApiObject = ApiObject> extends LevelRange {
  /** The level of this definition, which also decides the words of errors. Default: the oldest. */
  readonly level?: ApiLevel | undefined;
  /** Full name in the profile, empty for core. */
  readonly group: string;
  /** Lower-case plural as in the path: `pods`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** Default: the kind with `List` after it. */
  readonly listKind?: string | undefined;
  /** The group and kind in validation errors, where Kubernetes names others there. */
  readonly invalidKind?: { readonly group: string; readonly kind: string } | undefined;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  /** All versions that can be served, in order of priority. Exactly one has `hub: true`. */
  readonly versions: readonly VersionDefinition<T>[];
  /** The hub version, if it is not one of `versions`: it then belongs to the group that owns the objects, or to another level. */
  readonly hub?: VersionDefinition<T> | undefined;
  /** Versions of other levels: never served, but objects may be stored in them. */
  readonly unservedVersions?: readonly VersionDefinition<T>[] | undefined;
  /** Undefined for virtual resources, which represent an operation. */
  readonly storage: StorageDefinition | undefined;
  /** Fills in, in place, what older servers left out of stored objects; not applied to requests. */
  setReadDefaults?(object: T): void;
  readonly strategy: Strategy<T>;
  /** Finalizers without a domain that this kind allows, besides those of the garbage collector. Undefined allows any. */
  readonly standardFinalizers?: readonly string[] | undefined;
  /** Whether a delete that removes the object answers with it; otherwise with a `Status`. */
  readonly returnsDeletedObject?: boolean | undefined;
  readonly subresources: readonly SubresourceDefinition<T>[];
  /** Besides metadata.name and metadata.namespace. The keys are the fields that selectors may name. */
  readonly selectableFields: SelectableFields<T>;
  /** Annotations that represent fields of the kind. They are left out of metadata-only answers. */
  readonly fieldAnnotations?: readonly string[] | undefined;
  /** Other resources that serve the same objects. */
  readonly equivalents?: (() => readonly ResourceDefinition[]) | undefined;
  /** Undefined means the default table of two columns. */
  readonly columns: TableColumns<T> | undefined;
}

export interface StorageDefinition {
  /**
   * The group of the definition that owns the objects, if another group's resource stores them: the owner encodes them, and all versions
   * here convert to its hub form. Used only for events.
   */
  readonly group?: string | undefined;
  /** The version that is written to the store; may differ from the hub. */
  readonly version: string;
  /** The version in the storage version hash of discovery, if it is not `version`. */
  readonly hashedVersion?: string | undefined;
  /** Below the store prefix: `/pods`, `/services/specs`, `/minions`. */
  readonly prefix: string;
  /** The encoding of stored objects, if it is not that of `--storage-media-type`. Both are read. */
  readonly mediaType?: "json" | undefined;
  /** Members that are declared as `deferred` at this version. */
  readonly deferred?: Blanks | undefined;
  /** Converts stored JSON in a version that this definition lacks to one of its versions. */
  readonly upgrade?: ((stored: JsonObject) => JsonObject) | undefined;
  /**
   * Authentication or authorization depends on these objects. Their writes are answered only once this server's decisions reflect them,
   * so that a revocation takes effect at once.
   */
  readonly decidesAccess?: boolean | undefined;
  readonly before?: Before<Pick<StorageDefinition, "version" | "hashedVersion">> | undefined;
}

export interface VersionDefinition<T extends ApiObject = ApiObject> extends LevelRange {
  readonly version: string;
  /** For this version's object form. */
  readonly codec: Codec<ApiObject>;
  /** False for extension types, which are sent as JSON and YAML only. */
  readonly hasProtobuf?: boolean | undefined;
  readonly enabledByDefault: boolean;
  /** The version is not served while the gate is off, whatever `--runtime-config` says. */
  readonly featureGate?: FeatureGateName | undefined;
  /** The schema of custom resources, which the codec does not describe; undefined if there is none. */
  structuralSchema?(): StructuralSchema | undefined;
  /**
   * The cost of using the schema for the first time: how many bytes of schema take as long to parse. For versions whose schema is parsed
   * when it is needed.
   */
  schemaWeight?(): number;
  /** The most checks, of some 100 ns each, that one byte of an object may cost, where the schema decides that. */
  checksPerByte?(): number;
  /**
   * Steps that parse a large schema before objects are read: run each before taking the next. Undefined if the schema is ready or small.
   */
  preparation?(): Iterable<() => void> | undefined;
  /** Sets the version's defaults on a decoded object, in place. For `keepsNulls`, see `FromJsonOptions`. */
  setDefaults(object: ApiObject, keepsNulls?: boolean): void;
  readonly conversion: VersionConversion<T>;
  /** For versions with their own columns. Default: the kind's. Columns get objects of this version. */
  readonly columns?: TableColumns<ApiObject> | undefined;
  readonly subresources?: readonly SubresourceDefinition<T>[] | undefined;
  /** The fields that selectors in this version may use: a subset of the kind's, or those of a version that a webhook converts to. */
  readonly selectableFields?: readonly string[] | undefined;
  /** Minor versions of Kubernetes 1.x. */
  readonly lifecycle?: Lifecycle | undefined;
  /** The fields that clients cannot start to use, because their gates are off. The kind uses those of the hub. */
  readonly gatedFields?: GatedFields | undefined;
}

export interface Lifecycle {
  readonly introduced?: string | undefined;
  readonly deprecated?: string | undefined;
  readonly removed?: string | undefined;
  readonly replacement?: GroupVersionKind | undefined;
}

export type VersionConversion<T extends ApiObject> =
  | { readonly hub: true }
  | LocalConversion<T>
  | RemoteConversion<T>;

/** Conversion in code, as for all built-in kinds. */
export interface LocalConversion<T> {
  readonly hub: false;
  readonly remote?: false;
  /** The result may share parts with the argument, which the caller must not use afterwards. */
  toHub(object: ApiObject): T;
  fromHub(hub: T): ApiObject;
  /**
   * Set if this version and the hub differ only in which fields they have: reads objects with the fields of all versions. Admission gets
   * such objects, so that a webhook for one version does not drop fields of another.
   */
  readonly allFields?: Codec<ApiObject>;
  /** Whether the body of a stored object is already in this version. Default: never. */
  sharesBody?(stored: StoredObject<T>): boolean;
}

/** What an update replaces. */
export interface Replaced<T extends ApiObject> {
  /** In the hub version. Do not change it. */
  readonly current: { readonly old: T };
  /** Which subresource is written; undefined for the whole object. */
  readonly part: Strategy<T> | undefined;
}

/** Conversion by a webhook. Rejects with a `StatusError`. Arguments are not changed, and results share nothing mutable with them. */
export interface RemoteConversion<T extends ApiObject> {
  readonly hub: false;
  readonly remote: true;
  /** Validates what a client sent, as its version would store it: only valid objects are converted. Throws 422. */
  check(object: ApiObject, scope: ConversionScope, replaced: Replaced<T> | undefined): MaybePromise<void>;
  toHub(object: ApiObject, scope: ConversionScope): T | Promise<T>;
  fromHub(hub: T, scope: ConversionScope): ApiObject | Promise<ApiObject>;
  /** Many objects in as few calls as possible. */
  fromHubs(hubs: readonly T[], scope: ReadScope): Promise<readonly ApiObject[]>;
  /** Whether the stored object is already in this version. */
  sharesBody(stored: StoredObject<T>): boolean;
  /** Selectable fields of objects in this version; undefined for the storage version, which has the kind's. */
  readonly selectableFields?: SelectableFields<ApiObject> | undefined;
}

export interface SelectableFields<T> {
  readonly names: readonly string[];
  /** The value of each of `names`, "" when unset. */
  values(object: T): Record<string, string>;
  /** The error for any other field. Default: that it is not supported. */
  readonly refusal?: ((field: string, version: string) => string) | undefined;
}

export type SubresourceDefinition<T extends ApiObject = ApiObject> = LevelRange & SubresourceKind<T>;

type SubresourceKind<T extends ApiObject> =
  /** Part of the same object: status, finalize, approval, ephemeralcontainers. */
  | {
      readonly kind: "part";
      readonly name: string;
      readonly verbs: readonly Verb[];
      readonly strategy: Strategy<T>;
    }
  /** The autoscaling/v1 Scale of a workload. */
  | {
      readonly kind: "scale";
      readonly name: "scale";
      readonly verbs: readonly Verb[];
      readonly scale: ScaleView<T>;
    }
  /**
   * An operation with a body or answer of another kind: binding, eviction, token, log, exec, proxy. The registry finds its behaviour by
   * name.
   */
  | {
      readonly kind: "operation";
      readonly name: string;
      readonly verbs: readonly Verb[];
      /** Kind in discovery; group and version are empty when they are the parent's. */
      readonly object: GroupVersionKind;
    };

export interface ScaleView<T> {
  specReplicas(object: T): number;
  statusReplicas(object: T): number;
  /** Canonical label selector text. */
  selector(object: T): string;
  setSpecReplicas(object: T, replicas: number): void;
  /** Why the object has no Scale to read. */
  problem?(object: T): string | undefined;
  /** The path of the replica count, if it is the same in every version. Default: `["spec", "replicas"]`. */
  readonly specReplicasPath?: readonly string[] | undefined;
  /** Set if the kind's own validation reports errors of the fields that a Scale sets, so that the Scale is not validated itself. */
  readonly isValidatedByKind?: boolean;
}

export function listKindOf({ kind, listKind }: Pick<ResourceDefinition, "kind" | "listKind">): string {
  return listKind ?? `${kind}List`;
}

/** The subresources of a version. */
export function subresourcesOf<T extends ApiObject>(served: {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
}): readonly SubresourceDefinition<T>[] {
  return served.version.subresources ?? served.definition.subresources;
}

/** The strategy of writes to a part of the kind's objects, such as `status`. Throws for a kind without that part. */
export function partStrategy<T extends ApiObject>(
  { resource, subresources }: Pick<ResourceDefinition<T>, "resource" | "subresources">,
  name: string,
): Strategy<T> {
  const part = subresources.find((subresource) => subresource.name === name);
  if (part?.kind !== "part") throw new Error(`${resource} have no ${name}`);
  return part.strategy;
}

/** The fields that selectors in a version may name, besides metadata.name and metadata.namespace. */
export function selectableFieldsOf<T extends ApiObject>(served: {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
}): readonly string[] {
  return served.version.selectableFields ?? served.definition.selectableFields.names;
}

/** The object as its hub, for kinds that are converted in code. */
export function convertToHub<T extends ApiObject>(version: VersionDefinition<T>, object: ApiObject): T {
  const { conversion } = version;
  // The hub version's object form is T by the definition's own contract.
  if (conversion.hub) return object as T;
  return localOnly(version, conversion).toHub(object);
}

/** The reverse of `convertToHub`. */
export function convertFromHub<T extends ApiObject>(version: VersionDefinition<T>, hub: T): ApiObject {
  const { conversion } = version;
  return conversion.hub ? hub : localOnly(version, conversion).fromHub(hub);
}

function localOnly<T extends ApiObject>(
  { version }: VersionDefinition<T>,
  conversion: LocalConversion<T> | RemoteConversion<T>,
): LocalConversion<T> {
  if (conversion.remote === true) throw new Error(`objects of ${version} are not converted in code`);
  return conversion;
}

/** The version that all others convert to and from, whose objects have the form `T`. */
export interface HubVersion<T extends ApiObject> extends VersionDefinition<T> {
  readonly codec: Codec<T>;
}

export function hubVersion<T extends ApiObject>(definition: ResourceDefinition<T>): HubVersion<T> {
  const hub = definition.hub ?? definition.versions.find((v) => v.conversion.hub);
  if (hub === undefined) throw new Error(`${definition.resource} has no hub version`);
  // By the definition's contract, T is the form of the hub's objects.
  return hub as HubVersion<T>;
}

/** apiVersion and kind of objects in the hub version. */
export function hubTypeMeta<T extends ApiObject>(definition: ResourceDefinition<T>): TypeMeta {
  const { group, kind } = definition;
  return { apiVersion: apiVersionOf({ group, version: hubVersion(definition).version }), kind };
}

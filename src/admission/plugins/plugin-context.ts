import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { RunWork } from "../../apimachinery/objects/run-work.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import type { ImageReview } from "../../apis/gen/imagepolicy-v1alpha1.js";
import type { Lister } from "../../informers/informer.js";
import type { Naming } from "../../naming/naming.js";
import type { SentReview } from "../../remote/webhook.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { NamespaceLister } from "../chain/namespace-lister.js";
import type { ManifestPlugin, Manifests } from "../manifests/manifests.js";
import type { PodSecurityObserver } from "../pod-security/observer.js";
import type { PolicyAuthorizer, PolicyCluster } from "../policies/policy-cluster.js";
import type { PolicyObserver } from "../policies/policy-observer.js";
import type { WebhookParts, WebhookType } from "../webhooks/webhook-caller.js";

/** What the server provides to plugins. */
export interface PluginContext {
  readonly naming: Naming;
  readonly options: PluginOptions;
  readonly namespaces: NamespaceLister;
  readonly cluster: ClusterData;
  readonly authorizer: AdmissionAuthorizer;
  readonly webhooks: Readonly<Record<WebhookType, WebhookParts>>;
  /** Webhooks and policies from files, if the plugin's configuration names a directory. */
  readonly manifests?: ((plugin: ManifestPlugin) => Manifests | undefined) | undefined;
  readonly podSecurityObserver: PodSecurityObserver;
  readonly policyObserver: PolicyObserver;
  /** Undefined unless ImagePolicyWebhook is in force. */
  readonly imageReviewer: ImageReviewer | undefined;
  readonly level: ApiLevel;
  isEnabled(featureGate: FeatureGateName): boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Five characters for generated names. */
  nameSuffix(): string;
  /** Runs the work on each object in walks over stored objects, however many there are. */
  readonly runWork: RunWork;
  /** Rejects when `signal` is aborted. */
  delay(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The service that ImagePolicyWebhook asks. */
export interface ImageReviewer {
  /** Sends an ImageReview and resolves with the one that comes back. Rejects after the last attempt. */
  review(review: SentReview, signal: AbortSignal): Promise<Pick<ImageReview, "status">>;
  /** Reports a failed review, and whether the pod is admitted nevertheless. */
  failed(reason: string, isIgnored: boolean): void;
}

/** Startup options that plugins use. */
export interface PluginOptions {
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
}

/** A resource by the stem of its group: `{ group: "storage", resource: "storageclasses" }`. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

export interface ViewOptions<T, V, I extends string> {
  /** The parts of an object that a plugin needs; shared, so they must not be changed. */
  readonly view: (stored: StoredObject<T>) => V;
  readonly indexes?: Readonly<Record<I, (value: V, key: string) => readonly string[]>>;
}

/** Lookups of objects for plugins. */
export interface ClusterData extends PolicyCluster {
  /** Caches the objects of a resource. In sync before the first request. */
  follow<R extends BuiltinResource, V, I extends string = never>(
    of: R,
    options: ViewOptions<BuiltinObjects[R], V, I>,
  ): Lister<V, I>;
  /**
   * The newest state in the store, for objects that a lister may not know yet. `namespace` is empty for cluster-scoped objects.
   */
  read<R extends BuiltinResource>(
    of: R,
    namespace: string,
    name: string,
  ): Promise<BuiltinObjects[R] | undefined>;
  /** All objects of a namespace. */
  list<R extends BuiltinResource>(
    of: R,
    namespace: string,
  ): Promise<readonly StoredObject<BuiltinObjects[R]>[]>;
  /** The resources of a kind in a served version. `group` is the full name. */
  resourcesOf(kind: GroupVersionKind): readonly { readonly resource: string; readonly namespaced: boolean }[];
  /** Creates a missing object, as the server itself. */
  create<R extends BuiltinResource>(of: R, namespace: string, object: BuiltinObjects[R]): Promise<void>;
  /**
   * Writes the status of an object as the server itself. `change` works in place, and is called again on the newer state after a
   * conflict. Does nothing when the object is gone.
   */
  updateStatus<R extends BuiltinResource>(
    of: R,
    namespace: string,
    name: string,
    change: (object: BuiltinObjects[R]) => void,
  ): Promise<void>;
}

/** A question about a user's permissions; `group` is a stem. */
export interface AccessQuestion extends ResourceName {
  readonly verb: string;
  readonly version?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface AccessAnswer {
  readonly isAllowed: boolean;
  /** Empty when there is nothing to say. */
  readonly reason: string;
}

export interface AdmissionAuthorizer extends PolicyAuthorizer {
  /** A failing authorizer does not allow. */
  authorize(user: UserInfo, question: AccessQuestion, signal: AbortSignal): Promise<AccessAnswer>;
}

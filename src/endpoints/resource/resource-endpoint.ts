import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { Scale } from "../../apis/gen/autoscaling-v1.js";
import type { DeleteOptions } from "../../apis/gen/meta-v1.js";
import type { FieldTracking } from "../../registry/generic/field-tracking.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { BodySettings } from "../bodies/body-settings.js";
import type { InitialEvents } from "./initial-events.js";

/** The context of the verbs of one resource in one version. */
export interface ResourceEndpoint<T extends ApiObject = ApiObject> {
  readonly registry: ResourceRegistry<T>;
  readonly view: VersionedView<T>;
  readonly admission: AdmissionChain;
  readonly settings: EndpointSettings;
}

export interface EndpointSettings extends BodySettings {
  /** Decides the words of errors about options. */
  readonly level: ApiLevel;
  /** Group of ListOptions and its like, in the profile's words. */
  readonly metaGroup: string;
  readonly fieldTracking: FieldTracking;
  readonly scaleCodec: Codec<Scale>;
  readonly scaleView: VersionedView<Scale>;
  /** The same with the columns of custom resources. */
  readonly customScaleView: VersionedView<Scale>;
  readonly deleteOptionsCodec: Codec<DeleteOptions>;
  /** Lower bound in seconds of the randomized timeout of a watch (`--min-request-timeout`). */
  readonly minRequestTimeoutSeconds: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly allowBookmarks: boolean;
  readonly deleteCollectionWorkers: number;
  readonly listChunking: boolean;
  readonly remainingItemCount: boolean;
  readonly initialEvents: InitialEvents;
  /** Undefined if lists and watches cannot be limited to a shard. */
  readonly shards: ShardObserver | undefined;
  /** Undefined if unreadable objects cannot be deleted. */
  readonly unsafeDeletion: UnsafeDeletion | undefined;
}

/** Counts watches of shards. */
export interface ShardObserver {
  /** Returns a function to call when the watch ends. */
  watched(of: { readonly group: string; readonly resource: string }): () => void;
  /** An event was filtered out because its object is in another shard. */
  filtered(of: { readonly group: string; readonly resource: string }): void;
}

export interface UnsafeDeletion {
  /** The authorizer of such deletions. */
  readonly authorizer: () => Authorizer;
  /** The audit annotation of an attempt. */
  readonly annotation: string;
}

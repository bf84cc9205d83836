import type { Status } from "../../apimachinery/errors/status.js";
import type { ApiObject, ListMeta } from "../../apimachinery/objects/meta.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { Selection, StoredObject, WatchHandle, WatchSink } from "../../storage/object-store.js";

/** The result of an endpoint; `serving/responses` gives it the representation that the client requested. */
export type ApiResult =
  | ObjectResult
  | ListResultOf
  | WatchResult
  | ValueResult
  | { readonly kind: "status"; readonly code: number; readonly status: Status };

/** An object of a resource. */
export interface ObjectResult<T extends ApiObject = ApiObject> {
  readonly kind: "object";
  readonly code: number;
  readonly view: VersionedView<T>;
  readonly stored: StoredObject<T>;
}

export interface ListResultOf<T extends ApiObject = ApiObject> {
  readonly kind: "list";
  readonly view: VersionedView<T>;
  readonly items: readonly StoredObject<T>[];
  readonly metadata: ListMeta;
}

export interface WatchResult<T extends ApiObject = ApiObject> {
  readonly kind: "watch";
  readonly view: VersionedView<T>;
  readonly timeoutMs: number;
  /** Which objects to watch, if a webhook converts them: a filter on converted objects. */
  readonly matchesConverted?: Selection["matches"];
  /** Call it once; rejects with a `StatusError` before anything is sent. */
  start(sink: WatchSink<T>): Promise<WatchHandle>;
}

/** An object that is not a resource: Scale, Binding, TokenReview. */
export interface ValueResult<T extends ApiObject = ApiObject> {
  readonly kind: "value";
  readonly code: number;
  readonly view: VersionedView<T>;
  /** In the version of the view. */
  readonly object: ApiObject;
}

import type { ApiObject, ObjectMeta, OwnerReference } from "../../apimachinery/objects/meta.js";
import { type LabelSelector, storedLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { LabelSelector as LabelSelectorObject } from "../../apis/gen/meta-v1.js";
import type { StoredObject } from "../../storage/object-store.js";

/** What is kept of an object in memory; the object itself is decoded when needed. */
export interface ObjectView<T> {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The owner that controls it. */
  readonly controller: OwnerReference | undefined;
  readonly createdAt: string;
  readonly isTerminating: boolean;
  readonly stored: StoredObject<T>;
}

export interface SelectingView<T> extends ObjectView<T> {
  readonly selector: LabelSelector;
}

export function viewOf<T extends ApiObject>(
  stored: StoredObject<T>,
  object: T = stored.decode(),
): ObjectView<T> {
  return viewOfMetadata(stored, object.metadata);
}

function viewOfMetadata<T>(stored: StoredObject<T>, metadata: ObjectMeta): ObjectView<T> {
  const { name = "", namespace = "", uid = "", creationTimestamp = "", ownerReferences } = metadata;
  return {
    key: stored.key,
    namespace,
    name,
    uid,
    labels: stored.labels,
    controller: ownerReferences?.find(({ controller }) => controller === true),
    createdAt: creationTimestamp,
    isTerminating: metadata.deletionTimestamp !== undefined,
    stored,
  };
}

/** The view of a workload whose selector determines its pods. */
export function selectingViewOf<
  T extends ApiObject & { spec: { selector?: LabelSelectorObject | undefined } },
>(stored: StoredObject<T>): SelectingView<T> {
  const object = stored.decode();
  return { ...viewOf(stored, object), selector: storedLabelSelector(object.spec.selector) };
}

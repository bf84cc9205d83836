import type { ApiObject, OwnerReference } from "../../apimachinery/objects/meta.js";
import type { ObjectView, SelectingView } from "./object-view.js";

/** A controller's kind of object, as its dependents name it. */
export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export function ownerReference(
  { apiVersion, kind }: OwnerKind,
  { name, uid }: { readonly name: string; readonly uid: string },
): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export interface Claims<V> {
  /** The objects that the owner controls from now on. */
  readonly owned: readonly V[];
  readonly adopt: readonly V[];
  readonly release: readonly V[];
}

/**
 * Determines which of `candidates` (the owner's dependents, and objects without a controller) belong to the owner: it adopts what it
 * selects, and releases what it no longer selects. Source: Kubernetes' controller reference manager.
 */
export function claims<T, V extends ObjectView<unknown>>(
  owner: SelectingView<T>,
  candidates: Iterable<V>,
): Claims<V> {
  const owned: V[] = [];
  const adopt: V[] = [];
  const release: V[] = [];
  for (const candidate of candidates) {
    const isSelected = owner.selector.matches(candidate.labels);
    if (candidate.controller !== undefined) {
      if (candidate.controller.uid !== owner.uid) continue;
      if (isSelected) owned.push(candidate);
      else if (!owner.isTerminating) release.push(candidate);
    } else if (isSelected && !owner.isTerminating && !candidate.isTerminating) {
      adopt.push(candidate);
    }
  }
  return { owned, adopt, release };
}

/** Changes the references of a dependent in place. */
export function adoptBy(reference: OwnerReference): (object: ApiObject) => void {
  return ({ metadata }) => {
    const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== reference.uid);
    if (others.some(({ controller }) => controller === true)) return;
    metadata.ownerReferences = [...others, reference];
  };
}

export function releaseFrom(ownerUid: string): (object: ApiObject) => void {
  return ({ metadata }) => {
    const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== ownerUid);
    metadata.ownerReferences = others.length === 0 ? undefined : others;
  };
}

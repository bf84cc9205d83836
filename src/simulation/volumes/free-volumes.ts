import { removeFromSet } from "../../apimachinery/collections/groups.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import type { PersistentVolume, PersistentVolumeClaim } from "../../apis/gen/core-v1.js";
import { refersTo, satisfies } from "./volume-match.js";

interface Free {
  readonly volume: PersistentVolume;
  readonly size: Quantity;
}

/**
 * The volumes that can be bound, by class and by the claim that they are reserved for, so that binding a claim need not visit all others.
 */
export class FreeVolumes {
  readonly #byClass = new Map<string, Map<string, Free>>();
  readonly #byClaim = new Map<string, Map<string, Free>>();
  readonly #known = new Map<string, PersistentVolume>();

  /** Records the current state of the volume; undefined when it is gone. */
  set(name: string, volume: PersistentVolume | undefined): void {
    const before = this.#known.get(name);
    if (before !== undefined) {
      const [index, key] = this.#placeOf(before);
      removeFromSet(index, key, name);
    }
    if (volume === undefined || volume.status.phase === "Failed") {
      this.#known.delete(name);
      return;
    }
    this.#known.set(name, volume);
    const [index, key] = this.#placeOf(volume);
    const volumes = index.get(key) ?? new Map<string, Free>();
    index.set(key, volumes.set(name, { volume, size: sizeOf(volume.spec.capacity) }));
  }

  /** The volume that is reserved for the claim. */
  reservedFor(claim: PersistentVolumeClaim): PersistentVolume | undefined {
    const { namespace, name } = claim.metadata;
    for (const { volume } of this.#byClaim.get(`${namespace}/${name}`)?.values() ?? []) {
      if (refersTo(volume.spec.claimRef, claim)) return volume;
    }
    return undefined;
  }

  /** The smallest volume that suits the claim, or the one that is reserved for it. */
  best(claim: PersistentVolumeClaim): PersistentVolume | undefined {
    const reserved = this.reservedFor(claim);
    if (reserved !== undefined) return reserved;
    let best: Free | undefined;
    const suits = suitableFor(claim);
    for (const free of this.#ofClass(claim)) {
      if (best !== undefined && free.size.compare(best.size) >= 0) continue;
      if (suits(free)) best = free;
    }
    return best?.volume;
  }

  /** All that suit the claim, the smallest first; only the one reserved for it, if there is one. */
  suiting(claim: PersistentVolumeClaim): readonly PersistentVolume[] {
    const reserved = this.reservedFor(claim);
    if (reserved !== undefined) return [reserved];
    return [...this.#ofClass(claim)]
      .filter(suitableFor(claim))
      .sort((one, other) => one.size.compare(other.size))
      .map(({ volume }) => volume);
  }

  #ofClass(claim: PersistentVolumeClaim): Iterable<Free> {
    return this.#byClass.get(classOf(claim))?.values() ?? [];
  }

  #placeOf(volume: PersistentVolume): readonly [index: Map<string, Map<string, Free>>, key: string] {
    const { claimRef } = volume.spec;
    return claimRef === undefined
      ? [this.#byClass, classOf(volume)]
      : [this.#byClaim, `${claimRef.namespace}/${claimRef.name}`];
  }
}

function suitableFor(claim: PersistentVolumeClaim): (free: Free) => boolean {
  const wanted = sizeOf(claim.spec.resources?.requests);
  return ({ volume, size }) => size.compare(wanted) >= 0 && satisfies(volume, claim);
}

/** Empty if it has none. */
export function classOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec.storageClassName ?? "";
}

function sizeOf(list: Readonly<Record<string, string>> | undefined): Quantity {
  return Quantity.parse(list?.storage ?? "0");
}

import type { Deployment } from "../../apis/gen/apps-v1.js";
import { resolveIntOrPercent } from "./int-or-percent.js";

/** What a rollout needs to know about a deployment's replica set. */
export interface RolloutSet {
  readonly key: string;
  readonly name: string;
  readonly createdAt: string;
  /** `spec.replicas` */
  readonly wanted: number;
  readonly available: number;
  /** The largest number of pods that the deployment could have when this set was last scaled. */
  readonly maxReplicas: number | undefined;
}

export interface Scaling {
  readonly set: RolloutSet;
  readonly to: number;
}

export interface Bounds {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export function boundsOf({ spec }: Pick<Deployment, "spec">): Bounds {
  const replicas = spec.replicas ?? 0;
  if (spec.strategy.type === "Recreate") return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate ?? {};
  const surge = resolveIntOrPercent(maxSurge, replicas, "up");
  const unavailable = resolveIntOrPercent(maxUnavailable, replicas, "down");
  // Both may round to zero, and then nothing would ever move.
  return {
    replicas,
    maxSurge: surge,
    maxUnavailable: Math.min(replicas, surge === 0 && unavailable === 0 ? 1 : unavailable),
  };
}

/** How many pods the newest set may have now. */
export function newSetReplicas(
  { replicas, maxSurge }: Bounds,
  isRolling: boolean,
  newest: { readonly wanted: number },
  all: readonly { readonly wanted: number }[],
): number {
  if (!isRolling || newest.wanted > replicas) return replicas;
  const room = replicas + maxSurge - sumOf(all, "wanted");
  return room <= 0 ? newest.wanted : newest.wanted + Math.min(room, replicas - newest.wanted);
}

/** How far the old sets shrink in one step: first by their unavailable pods, then by as many others as `maxUnavailable` allows. */
export function scaleDownOld(
  { replicas, maxUnavailable }: Bounds,
  newest: RolloutSet | undefined,
  old: readonly RolloutSet[],
): readonly Scaling[] {
  const all = newest === undefined ? old : [...old, newest];
  const availableMin = replicas - maxUnavailable;
  const newUnavailable = newest === undefined ? 0 : newest.wanted - newest.available;
  const downMax = sumOf(all, "wanted") - availableMin - newUnavailable;
  if (sumOf(old, "wanted") === 0 || downMax <= 0) return [];
  const byAge = [...old].sort((a, b) => a.createdAt.localeCompare(b.createdAt) || (a.name < b.name ? -1 : 1));
  const left = new Map(byAge.map((set) => [set, set.wanted]));
  let down = 0;
  for (const set of byAge) {
    const unhealthy = Math.min(downMax - down, Math.max(0, set.wanted - set.available));
    left.set(set, set.wanted - unhealthy);
    down += unhealthy;
  }
  let spare = sumOf(all, "available") - availableMin;
  for (const set of byAge) {
    const now = left.get(set) ?? 0;
    const by = Math.min(now, Math.max(0, spare));
    left.set(set, now - by);
    spare -= by;
  }
  return byAge.flatMap((set) => {
    const to = left.get(set) ?? set.wanted;
    return to === set.wanted ? [] : [{ set, to }];
  });
}

/**
 * Spreads the difference over the sets, in proportion to their sizes, when a deployment is scaled while it is paused or in the middle of a
 * rollout. Source: Kubernetes documentation, "Proportional scaling".
 */
export function scaleInProportion(
  { replicas, maxSurge }: Bounds,
  isRolling: boolean,
  newest: RolloutSet | undefined,
  old: readonly RolloutSet[],
): readonly Scaling[] {
  const all = newest === undefined ? [...old] : [...old, newest];
  const active = all.filter(({ wanted }) => wanted > 0);
  if (active.length <= 1) {
    const set = active[0] ?? newest ?? youngest(old);
    return set === undefined || set.wanted === replicas ? [] : [{ set, to: replicas }];
  }
  if (newest !== undefined && newest.wanted === replicas && newest.available === replicas) {
    return old.filter(({ wanted }) => wanted > 0).map((set) => ({ set, to: 0 }));
  }
  if (!isRolling) return [];
  const allowed = replicas > 0 ? replicas + maxSurge : 0;
  const toAdd = allowed - sumOf(active, "wanted");
  const sorted = [...active].sort(
    (a, b) => b.wanted - a.wanted || (toAdd > 0 ? -1 : 1) * a.createdAt.localeCompare(b.createdAt),
  );
  let added = 0;
  const sizes = sorted.map((set) => {
    const share =
      replicas === 0
        ? -set.wanted
        : Math.round((set.wanted * (replicas + maxSurge)) / (set.maxReplicas ?? replicas)) - set.wanted;
    const room = toAdd - added;
    const by = toAdd > 0 ? Math.min(share, room) : Math.max(share, room);
    added += by;
    return { set, to: set.wanted + by };
  });
  const [first] = sizes;
  if (first !== undefined) first.to = Math.max(0, first.to + (toAdd - added));
  return sizes.filter(({ set, to }) => to !== set.wanted);
}

function youngest(sets: readonly RolloutSet[]): RolloutSet | undefined {
  return [...sets].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}

function sumOf<K extends string>(values: readonly { readonly [key in K]: number }[], key: K): number {
  return values.reduce((sum, value) => sum + value[key], 0);
}

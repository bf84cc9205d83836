import type { Deployment, ReplicaSet } from "../../apis/gen/apps-v1.js";
import type { PodTemplateSpec } from "../../apis/gen/core-v1.js";
import type { SelectingView } from "../machinery/object-view.js";
import { boundsOf, type RolloutSet } from "./rollout.js";
import { contentHash, isSameTemplate } from "./template-hash.js";

export type DeploymentView = SelectingView<Deployment>;

/** The replica set with the deployment's template, and the others. */
export interface DividedSets {
  readonly newest: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

const hashLabel = "pod-template-hash";

/** Annotations that a deployment writes on its sets: `revision`, `desired-replicas` and so on, prefixed with `deployment.DOMAIN/`. */
export class SetAnnotations {
  readonly revision: string;
  readonly history: string;
  readonly desired: string;
  readonly max: string;
  readonly #own: ReadonlySet<string>;

  constructor(domain: string, lastApplied: string) {
    this.revision = `deployment.${domain}/revision`;
    this.history = `deployment.${domain}/revision-history`;
    this.desired = `deployment.${domain}/desired-replicas`;
    this.max = `deployment.${domain}/max-replicas`;
    this.#own = new Set([
      lastApplied,
      this.revision,
      this.history,
      this.desired,
      this.max,
      "deprecated.deployment.rollback.to",
    ]);
  }

  /** 0 of a set without one. Clients may write any 64-bit number. */
  revisionOf({ metadata }: Pick<ReplicaSet, "metadata">): bigint {
    const text = metadata.annotations?.[this.revision] ?? "";
    return /^-?\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  }

  /** 0 without sets. */
  latestRevision(sets: readonly ReplicaSet[]): bigint {
    return sets.reduce((latest, set) => {
      const revision = this.revisionOf(set);
      return revision > latest ? revision : latest;
    }, 0n);
  }

  /** A replica set's annotations, with those that its deployment adds. */
  described(set: ReplicaSet, deployment: Deployment, revision: bigint): Record<string, string> {
    const before = set.metadata.annotations ?? {};
    const after = { ...before };
    for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
      if (!this.#own.has(key)) after[key] = value;
    }
    const old = this.revisionOf(set);
    if (old < revision) {
      after[this.revision] = String(revision);
      if (old > 0) {
        const history = before[this.history];
        after[this.history] = history === undefined ? String(old) : `${history},${old}`;
      }
    }
    this.#setSizes(after, deployment);
    return after;
  }

  sizes(set: ReplicaSet, deployment: Deployment): void {
    const annotations = { ...set.metadata.annotations };
    this.#setSizes(annotations, deployment);
    set.metadata.annotations = annotations;
  }

  #setSizes(annotations: Record<string, string>, deployment: Deployment): void {
    const { replicas, maxSurge } = boundsOf(deployment);
    annotations[this.desired] = String(replicas);
    annotations[this.max] = String(replicas + maxSurge);
  }

  /** The deployment's size when the set was last scaled; undefined if it was not recorded. */
  desiredOf({ metadata }: ReplicaSet): number | undefined {
    const text = metadata.annotations?.[this.desired];
    return text === undefined ? undefined : Number(text);
  }

  rolloutSet(set: ReplicaSet): RolloutSet {
    const { name = "", namespace = "", creationTimestamp = "", annotations } = set.metadata;
    const max = annotations?.[this.max];
    return {
      key: `${namespace}/${name}`,
      name,
      createdAt: creationTimestamp,
      wanted: set.spec.replicas ?? 0,
      available: set.status.availableReplicas ?? 0,
      maxReplicas: max === undefined ? undefined : Number(max),
    };
  }
}

export function divide(deployment: Deployment, sets: readonly ReplicaSet[]): DividedSets {
  const newest = newestSetOf(deployment, sets);
  return { newest, old: sets.filter((set) => set !== newest) };
}

/** The set with the deployment's template; the oldest if there are several. */
function newestSetOf(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets
    .filter(({ spec }) => isSameTemplate(spec.template, deployment.spec.template, hashLabel))
    .sort((a, b) => order(a).localeCompare(order(b)))[0];
}

function order({ metadata }: ReplicaSet): string {
  return `${metadata.creationTimestamp}/${metadata.name}`;
}

/** A new set for the deployment's template, without a size. */
export function makeSet(deployment: Deployment): ReplicaSet {
  const { spec, metadata } = deployment;
  const hash = contentHash(spec.template, deployment.status.collisionCount ?? 0);
  const template: PodTemplateSpec = structuredClone(spec.template);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  template.metadata = { ...template.metadata, labels };
  return {
    metadata: { name: `${metadata.name}-${hash}`, labels: { ...labels } },
    spec: {
      replicas: 0,
      minReadySeconds: spec.minReadySeconds,
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector?.matchLabels, [hashLabel]: hash },
      },
      template,
    },
    status: { replicas: 0 },
  };
}

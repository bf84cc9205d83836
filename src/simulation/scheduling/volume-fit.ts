import type { PersistentVolumeClaim } from "../../apis/gen/core-v1.js";
import type { Cluster } from "../pods/cluster.js";
import { matchesAnyTerm } from "../pods/node-selection.js";
import type { PodView } from "../pods/pod-view.js";
import type { NodeLoad } from "./node-load.js";

/** What the volumes of a pod require of its node. */
export interface VolumeFit {
  /** Why it cannot be placed at all. */
  readonly problem: string | undefined;
  /** Claims that are bound only once their pod has a node. */
  readonly delayed: readonly string[];
  readonly filter: (node: NodeLoad) => readonly string[];
}

const fits: readonly string[] = [];

export function volumeFit(cluster: Cluster, pod: PodView): VolumeFit {
  const claims = cluster.views.of("persistentvolumeclaims");
  const volumes = cluster.views.of("persistentvolumes");
  const selectors: Parameters<typeof matchesAnyTerm>[0][] = [];
  const delayed: string[] = [];
  let problem: string | undefined;
  for (const name of pod.claims) {
    const view = claims.get(`${pod.namespace}/${name}`);
    const claim = view?.stored.decode();
    if (claim === undefined) problem ??= `persistentvolumeclaim "${name}" not found`;
    else if (view?.isTerminating === true) problem ??= `persistentvolumeclaim "${name}" is being deleted`;
    else if (claim.status.phase !== "Bound") {
      if (isDelayed(cluster, claim)) delayed.push(name);
      else problem ??= "pod has unbound immediate PersistentVolumeClaims";
    } else {
      const volume = volumes.get(claim.spec.volumeName ?? "")?.stored.decode();
      const required = volume?.spec.nodeAffinity?.required;
      if (required !== undefined) selectors.push(required.nodeSelectorTerms ?? []);
    }
  }
  return {
    problem,
    delayed,
    filter: ({ view }) =>
      selectors.every((terms) => matchesAnyTerm(terms, view))
        ? fits
        : ["node(s) had volume node affinity conflict"],
  };
}

/** Whether the class binds the claim only once a pod that uses it has a node. */
export function isDelayed(cluster: Cluster, { spec }: PersistentVolumeClaim): boolean {
  const stored = cluster.views.of("storageclasses.storage").get(spec.storageClassName ?? "");
  return stored?.stored.decode().volumeBindingMode === "WaitForFirstConsumer";
}

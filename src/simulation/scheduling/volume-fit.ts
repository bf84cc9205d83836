import type {
  PersistentVolume,
  PersistentVolumeClaim,
  TopologySelectorTerm,
} from "../../apis/gen/core-v1.js";
import type { StorageClass } from "../../apis/gen/storage-v1.js";
import type { Cluster } from "../pods/cluster.js";
import { matchesAnyTerm, type SelectableNode } from "../pods/node-selection.js";
import type { PodView } from "../pods/pod-view.js";
import type { FreeVolumes } from "../volumes/free-volumes.js";
import { nameOf, SuitableVolumes } from "../volumes/suitable-volumes.js";
import type { NodeLoad } from "./node-load.js";
import { fits, type UnfitReasons } from "./unfit-reason.js";

/** What the volumes of a pod require of its node. */
export interface VolumeFit {
  /** Why it cannot be placed at all. */
  readonly problem: string | undefined;
  readonly filter: (node: NodeLoad) => UnfitReasons;
  /** Chooses volumes for the claims with WaitForFirstConsumer. */
  readonly choose: (node: NodeLoad) => readonly DelayedClaim[];
}

export interface DelayedClaim {
  readonly name: string;
  /** The volume that the claim gets; none when its provisioner is to make one. */
  readonly volume: PersistentVolume | undefined;
}

interface Delayed {
  readonly name: string;
  readonly volumes: SuitableVolumes;
  readonly storage: StorageClass;
}

export function volumeFit(cluster: Cluster, pod: PodView, free: FreeVolumes): VolumeFit {
  const claims = cluster.views.of("persistentvolumeclaims");
  const volumes = cluster.views.of("persistentvolumes");
  const selectors: Parameters<typeof matchesAnyTerm>[0][] = [];
  const delayed: Delayed[] = [];
  let problem: string | undefined;
  for (const name of pod.claims) {
    const view = claims.get(`${pod.namespace}/${name}`);
    const claim = view?.stored.decode();
    if (claim === undefined) problem ??= `persistentvolumeclaim "${name}" not found`;
    else if (view?.isTerminating === true) problem ??= `persistentvolumeclaim "${name}" is being deleted`;
    else if (claim.status.phase !== "Bound") {
      const storage = delayingClass(cluster, claim);
      if (storage === undefined) problem ??= "pod has unbound immediate PersistentVolumeClaims";
      else delayed.push({ name, storage, volumes: new SuitableVolumes(free.suiting(claim)) });
    } else {
      const volume = volumes.get(claim.spec.volumeName ?? "")?.stored.decode();
      const required = volume?.spec.nodeAffinity?.required;
      if (required !== undefined) selectors.push(required.nodeSelectorTerms ?? []);
    }
  }
  const choose = (node: NodeLoad) => chosenOn(node.view, delayed, cluster.domain);
  return {
    problem,
    filter: (node) => {
      if (!selectors.every((terms) => matchesAnyTerm(terms, node.view))) {
        return [{ kind: "volumeAffinity" }];
      }
      return choose(node).length === delayed.length ? fits : [{ kind: "noVolume" }];
    },
    choose,
  };
}

/** The chosen volumes on a node, without claims that can have none there. */
function chosenOn(node: SelectableNode, delayed: readonly Delayed[], domain: string): DelayedClaim[] {
  const taken = new Set<string>();
  return delayed.flatMap(({ name, volumes, storage }) => {
    const volume = volumes.on(node, taken);
    if (volume !== undefined) taken.add(nameOf(volume));
    return volume !== undefined || mayProvision(storage, node, domain) ? [{ name, volume }] : [];
  });
}

function mayProvision(
  { provisioner, allowedTopologies = [] }: StorageClass,
  node: SelectableNode,
  domain: string,
): boolean {
  if (provisioner === `${domain}/no-provisioner`) return false;
  return allowedTopologies.length === 0 || allowedTopologies.some((term) => isWithin(term, node));
}

function isWithin({ matchLabelExpressions = [] }: TopologySelectorTerm, { labels }: SelectableNode): boolean {
  return matchLabelExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ""));
}

/** The claim's class, if that has WaitForFirstConsumer. */
function delayingClass(cluster: Cluster, { spec }: PersistentVolumeClaim): StorageClass | undefined {
  const view = cluster.views.of("storageclasses.storage").get(spec.storageClassName ?? "");
  const storage = view?.stored.decode();
  return storage?.volumeBindingMode === "WaitForFirstConsumer" ? storage : undefined;
}

import type { DaemonSet } from "../../apis/gen/apps-v1.js";
import type { Pod, PodSpec, Toleration } from "../../apis/gen/core-v1.js";
import { matchesAnyTerm } from "../pods/node-selection.js";
import type { NodeView } from "../pods/node-view.js";
import { untoleratedTaint } from "../pods/tolerations.js";

export interface DaemonPlace {
  /** Whether there should be a pod. */
  readonly shouldRun: boolean;
  /** Whether an existing pod may stay. */
  readonly mayContinue: boolean;
}

/** What every daemon tolerates, because it is part of the node. */
function daemonTolerations(domain: string, spec: PodSpec): Toleration[] {
  const toleration = (name: string, effect: "NoExecute" | "NoSchedule"): Toleration => ({
    key: `node.${domain}/${name}`,
    operator: "Exists",
    effect,
  });
  return [
    toleration("not-ready", "NoExecute"),
    toleration("unreachable", "NoExecute"),
    toleration("disk-pressure", "NoSchedule"),
    toleration("memory-pressure", "NoSchedule"),
    toleration("pid-pressure", "NoSchedule"),
    toleration("unschedulable", "NoSchedule"),
    ...(spec.hostNetwork === true ? [toleration("network-unavailable", "NoSchedule")] : []),
  ];
}

/** Source: Kubernetes' `NodeShouldRunDaemonPod`. */
export function daemonPlace({ spec }: DaemonSet, node: NodeView, domain: string): DaemonPlace {
  const { template } = spec;
  const podSpec = template.spec ?? {};
  const isNamed = (podSpec.nodeName ?? "") === "" || podSpec.nodeName === node.name;
  const isSelected = Object.entries(podSpec.nodeSelector ?? {}).every(
    ([key, value]) => node.labels[key] === value,
  );
  const required = podSpec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isWanted = required === undefined || matchesAnyTerm(required.nodeSelectorTerms ?? [], node);
  if (!isNamed || !isSelected || !isWanted) return { shouldRun: false, mayContinue: false };
  const tolerations = [...(podSpec.tolerations ?? []), ...daemonTolerations(domain, podSpec)];
  if (untoleratedTaint(node.taints, tolerations, ["NoSchedule", "NoExecute"]) === undefined) {
    return { shouldRun: true, mayContinue: true };
  }
  return {
    shouldRun: false,
    mayContinue: untoleratedTaint(node.taints, tolerations, ["NoExecute"]) === undefined,
  };
}

/** Ties the pod to its node, in place: the scheduler puts it there, or reports why it cannot. */
export function tieToNode(pod: Pod, nodeName: string, domain: string): void {
  const { spec } = pod;
  spec.tolerations = [...(spec.tolerations ?? []), ...daemonTolerations(domain, spec)];
  const matchFields = [{ key: "metadata.name", operator: "In" as const, values: [nodeName] }];
  const affinity = spec.affinity ?? {};
  const terms =
    affinity.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  spec.affinity = {
    ...affinity,
    nodeAffinity: {
      ...affinity.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.length === 0 ? [{ matchFields }] : terms.map(() => ({ matchFields })),
      },
    },
  };
}

/** The node that a pod of a daemon set is meant for, whether or not it is already there. */
export function nodeOfDaemon(pod: Pod): string {
  if ((pod.spec.nodeName ?? "") !== "") return pod.spec.nodeName ?? "";
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? []) {
    const name = matchFields.find(({ key }) => key === "metadata.name")?.values?.[0];
    if (name !== undefined) return name;
  }
  return "";
}

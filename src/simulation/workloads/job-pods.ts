import type { Job, PodFailurePolicyRule } from "../../apis/gen/batch-v1.js";
import type { ContainerStatus, Pod } from "../../apis/gen/core-v1.js";
import { timeMs } from "../machinery/times.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";

export function completionIndexKey(domain: string): string {
  return `batch.${domain}/job-completion-index`;
}

/** The index of a pod of an indexed job; undefined if it has none. */
export function indexOf(pod: Pod, domain: string): number | undefined {
  const text = pod.metadata.annotations?.[completionIndexKey(domain)];
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** Gives a new pod its index, in place: as annotation and label, as its host name and to its containers. */
export function setIndex(pod: Pod, job: Job, index: number, { domain, context }: Cluster): void {
  const key = completionIndexKey(domain);
  const name = job.metadata.name ?? "";
  pod.metadata.annotations = { ...pod.metadata.annotations, [key]: String(index) };
  if (context.isEnabled("PodIndexLabel")) {
    pod.metadata.labels = { ...pod.metadata.labels, [key]: String(index) };
  }
  pod.metadata.generateName = `${name.slice(0, 230)}-${index}-`;
  pod.spec.hostname = `${name}-${index}`.slice(0, 63);
  for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
    if (container.env?.some((variable) => variable.name === "JOB_COMPLETION_INDEX")) continue;
    const fieldRef = { apiVersion: "v1", fieldPath: `metadata.annotations['${key}']` };
    container.env = [...(container.env ?? []), { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef } }];
  }
}

/** When its last container ended. */
export function finishedAt({ status }: Pod): number {
  const times = (status.containerStatuses ?? []).map(
    ({ state }) => timeMs(state.terminated?.finishedAt) ?? 0,
  );
  return Math.max(0, ...times);
}

export type FailureAction = "Count" | "Ignore" | "FailIndex" | { readonly failJob: string };

/** What a job's policy does about a failed pod. Source: Kubernetes documentation, "Pod failure policy". */
export function failureAction({ spec }: Job, view: PodView, pod: Pod): FailureAction {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, view, pod, index);
    if (match === undefined) continue;
    if (rule.action === "FailJob") return { failJob: match };
    if (rule.action === "Ignore") return "Ignore";
    return rule.action === "FailIndex" ? "FailIndex" : "Count";
  }
  return "Count";
}

/** A sentence that describes the match. */
function matchOf(rule: PodFailurePolicyRule, view: PodView, pod: Pod, index: number): string | undefined {
  const { onExitCodes, onPodConditions } = rule;
  const at = `rule at index ${index}`;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values = [] } = onExitCodes;
    const statuses: readonly ContainerStatus[] = [
      ...(pod.status.initContainerStatuses ?? []),
      ...(pod.status.containerStatuses ?? []),
    ];
    for (const { name, state } of statuses) {
      const code = state.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== name)) continue;
      if (values.includes(code) !== (operator === "In")) continue;
      return `Container ${name} for pod ${view.namespace}/${view.name} failed with exit code ${code} matching ${rule.action} ${at}`;
    }
    return undefined;
  }
  for (const { type, status } of onPodConditions ?? []) {
    const isThere = pod.status.conditions?.some((each) => each.type === type && each.status === status);
    if (isThere === true) {
      return `Pod ${view.namespace}/${view.name} has condition ${type} matching ${rule.action} ${at}`;
    }
  }
  return undefined;
}

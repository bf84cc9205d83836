import type { Job, PodFailurePolicyRule } from "../../apis/gen/batch-v1.js";
import type { ContainerStatus, Pod } from "../../apis/gen/core-v1.js";
import { timeMs } from "../machinery/times.js";
import type { Cluster } from "../pods/cluster.js";
import { conditionOf } from "../pods/conditions.js";
import { isFinished, type PodView } from "../pods/pod-view.js";
import type { FailureAction, IndexFailures, PodEnd } from "./job-tally.js";

/** Generated names are cut here, so that five characters can follow. */
const generatedPrefixMax = 58;

function completionIndexKey(domain: string): string {
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
  const isLabelled = context.isEnabled("PodIndexLabel");
  if (isLabelled) pod.metadata.labels = { ...pod.metadata.labels, [key]: String(index) };
  const suffix = `-${index}-`;
  pod.metadata.generateName = `${name.slice(0, generatedPrefixMax - suffix.length)}${suffix}`;
  pod.spec.hostname = `${name}-${index}`.slice(0, 63);
  for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
    if (container.env?.some((variable) => variable.name === "JOB_COMPLETION_INDEX")) continue;
    const fieldPath = `metadata.${isLabelled ? "labels" : "annotations"}['${key}']`;
    const fieldRef = { apiVersion: "v1", fieldPath };
    container.env = [...(container.env ?? []), { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef } }];
  }
}

/** Records on a new pod, in place, how often its index has failed, for a job with backoff limits per index. */
export function noteFailures(pod: Pod, { counted, ignored }: IndexFailures, domain: string): void {
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [`batch.${domain}/job-index-failure-count`]: String(counted),
    ...(ignored > 0 && { [`batch.${domain}/job-index-ignored-failure-count`]: String(ignored) }),
  };
}

/** How the pod ended; undefined if it has not, or does not count. */
export function podEnd(
  job: Job,
  view: PodView,
  {
    domain,
    indexed,
    isEarly,
    goneAt,
  }: {
    readonly domain: string;
    readonly indexed: boolean;
    /** Whether a pod that is deleted before it has ended failed. */
    readonly isEarly: boolean;
    /** When a pod was removed that no longer exists. */
    readonly goneAt?: number;
  },
): PodEnd | undefined {
  const isDeleted = isEarly && (goneAt !== undefined || (view.isTerminating && !replacesFailedOnly(job)));
  if (!isFinished(view) && !isDeleted) return undefined;
  const pod = view.stored.decode();
  const index = indexed ? indexOf(pod, domain) : undefined;
  if (indexed && (index === undefined || index >= (job.spec.completions ?? 0))) return undefined;
  const outcome = view.phase === "Succeeded" ? view.phase : failureAction(job, view, pod);
  const ended = isFinished(view) ? finishedAt(pod) : 0;
  const at = ended || (timeMs(view.deletionTimestamp) ?? goneAt ?? 0);
  return { index, outcome, at };
}

/** Whether pods are replaced only once they have failed, not when they are being deleted. */
export function replacesFailedOnly({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

/** When its last container ended, or what else tells of its end; 0 if nothing does. */
function finishedAt({ status }: Pod): number {
  const times = (status.containerStatuses ?? []).map(
    ({ state }) => timeMs(state.terminated?.finishedAt) ?? 0,
  );
  const notReady = conditionOf(status.conditions, "Ready")?.lastTransitionTime;
  return Math.max(0, ...times) || (timeMs(notReady) ?? 0);
}

/** What a job's policy does about a failed pod. Source: Kubernetes documentation, "Pod failure policy". */
function failureAction({ spec }: Job, view: PodView, pod: Pod): FailureAction {
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

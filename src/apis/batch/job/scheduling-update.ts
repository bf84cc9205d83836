import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import type { Job } from "../../gen/batch-v1.js";
import type { Affinity, Container, PodTemplateSpec } from "../../gen/core-v1.js";

export interface TemplateUpdateRules {
  /** Whether the scheduling fields may change before the job has started. */
  readonly scheduling: boolean;
  readonly schedulingGates: boolean;
  /** Whether the scheduling fields may also change after the job was started and suspended again. */
  readonly afterStart: boolean;
  /** Whether container resources may change in the same states. */
  readonly resources: boolean;
}

/**
 * The template of `old` with the parts of `template` that may change while the job is suspended: scheduling constraints, the labels
 * and annotations of its pods, and resources. Any other difference between the two is an error.
 */
export function updatableTemplate(
  { spec, status }: Job,
  template: PodTemplateSpec,
  rules: TemplateUpdateRules,
): PodTemplateSpec {
  const old = spec.template;
  if (spec.suspend !== true) return old;
  const hasStarted = status.startTime !== undefined;
  const isStopped = (status.conditions ?? []).some(
    ({ type, status: state }) => type === "Suspended" && state === "True",
  );
  const isIdle = !hasStarted || (isStopped && (status.active ?? 0) === 0);
  let result = old;
  if (rules.scheduling && (!hasStarted || (rules.afterStart && isIdle))) {
    result = withScheduling(result, template, rules);
  }
  return rules.resources && isIdle ? withResources(result, template) : result;
}

function withScheduling(
  old: PodTemplateSpec,
  template: PodTemplateSpec,
  rules: TemplateUpdateRules,
): PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates } = template.spec;
  const { labels, annotations } = template.metadata;
  return {
    ...old,
    metadata: { ...old.metadata, labels, annotations },
    spec: {
      ...old.spec,
      affinity: withNodeAffinity(old.spec.affinity, template.spec.affinity),
      nodeSelector,
      tolerations,
      ...(rules.schedulingGates && { schedulingGates }),
    },
  };
}

function withNodeAffinity(old: Affinity | undefined, affinity: Affinity | undefined): Affinity | undefined {
  if (old === undefined && affinity === undefined) return undefined;
  const changed: Affinity = { ...old, nodeAffinity: affinity?.nodeAffinity };
  return affinity === undefined && isDeepEqual(changed, {}) ? undefined : changed;
}

function withResources(old: PodTemplateSpec, template: PodTemplateSpec): PodTemplateSpec {
  const { containers, initContainers } = template.spec;
  return {
    ...old,
    spec: {
      ...old.spec,
      containers: withThoseOf(old.spec.containers, containers),
      initContainers: withThoseOf(old.spec.initContainers, initContainers),
    },
  };
}

function withThoseOf(
  old: Container[] | undefined,
  containers: readonly Container[] | undefined,
): Container[] | undefined {
  return old?.map((container, index) => ({
    ...container,
    resources: containers?.[index]?.resources ?? container.resources,
  }));
}

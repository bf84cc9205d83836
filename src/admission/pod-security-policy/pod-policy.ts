import { append } from "../../apimachinery/collections/append.js";
import { type FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { placedContainers } from "../../apis/core/pod-spec/containers.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { PodSecurityPolicy } from "../../apis/gen/policy-v1beta1.js";
import type { Naming } from "../../naming/naming.js";
import { capabilityRule } from "./capability-rule.js";
import { hostNamespacesRule, hostPortRule, runtimeClassRule, sysctlRule } from "./host-rules.js";
import { fsGroupRule, runAsGroupRule, supplementalGroupsRule, userRule } from "./identity-rules.js";
import { escalationRule, privilegedRule, procMountRule, readOnlyRootRule } from "./privilege-rules.js";
import { appArmorRule, seccompRules } from "./profile-rules.js";
import type { ContainerRule, PodRule } from "./rules.js";
import { seLinuxRules } from "./se-linux-rules.js";
import { volumeRule } from "./volume-rule.js";

/** A compiled PodSecurityPolicy. */
export interface PodPolicy {
  readonly name: string;
  /** Sets defaults on `pod` in place, then returns its violations. */
  apply(pod: Pod): readonly FieldError[];
}

/**
 * Undefined for a policy with an unusable rule, such as MustRunAs without a range: it admits no pod. Source: Kubernetes documentation, "Pod
 * Security Policies".
 */
export function podPolicyOf(policy: PodSecurityPolicy, naming: Naming): PodPolicy | undefined {
  const { metadata, spec } = policy;
  const { name = "", annotations = {} } = metadata;
  const seLinux = seLinuxRules(spec.seLinux);
  const seccomp = seccompRules(annotations, naming);
  // In the order in which Kubernetes reports problems.
  const podRules = [
    fsGroupRule(spec.fsGroup),
    supplementalGroupsRule(spec.supplementalGroups),
    seccomp.pod,
    seLinux?.pod,
    hostNamespacesRule(spec),
    sysctlRule(spec),
    volumeRule(spec, naming),
    runtimeClassRule(spec.runtimeClass),
  ];
  const containerRules = [
    userRule(spec.runAsUser),
    runAsGroupRule(spec.runAsGroup),
    seLinux?.container,
    appArmorRule(annotations, naming),
    seccomp.container,
    privilegedRule(spec.privileged),
    procMountRule(spec.allowedProcMountTypes),
    capabilityRule(spec),
    hostPortRule(spec.hostPorts),
    readOnlyRootRule(spec.readOnlyRootFilesystem),
    escalationRule(spec),
  ];
  if (!podRules.every(isUsable) || !containerRules.every(isUsable)) return undefined;
  return { name, apply: (pod) => apply(pod, podRules, containerRules) };
}

function isUsable<R>(rule: R | undefined): rule is R {
  return rule !== undefined;
}

function apply(
  pod: Pod,
  podRules: readonly PodRule[],
  containerRules: readonly ContainerRule[],
): readonly FieldError[] {
  const containers = placedContainers(pod.spec, FieldPath.of("spec"));
  for (const rule of podRules) rule.setDefaults?.(pod);
  for (const { container } of containers) {
    for (const rule of containerRules) rule.setDefaults?.(container, pod);
  }
  const errors: FieldError[] = [];
  for (const rule of podRules) append(errors, rule.problems(pod));
  for (const { container, path } of containers) {
    for (const rule of containerRules) append(errors, rule.problems(container, pod, path));
  }
  return errors;
}

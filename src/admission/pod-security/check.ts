import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { type AnyContainer, allContainers } from "../../apis/core/pod-spec/containers.js";
import type { PodSpec } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";

/** A pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  readonly naming: Naming;
  /** The level of the server, whatever version of the rules is asked for. */
  readonly apiLevel: ApiLevel;
  /** Whether older versions of the rules treat pods with user namespaces like 1.35 does. */
  readonly trustsOwnUsers: boolean;
}

/** Why a pod breaks a rule: `reason (detail)`. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type Rule = (pod: CheckedPod) => Violation | undefined;

export interface Check {
  readonly id: string;
  readonly level: "baseline" | "restricted";
  /** The rules by the minor version from which they apply, oldest first. */
  readonly rules: readonly { readonly since: number; readonly rule: Rule }[];
  /** Baseline checks that a restricted check replaces. */
  readonly replaces?: readonly string[];
}

/** Relaxes the rule for pods with user namespaces: root has no rights outside of one. */
export function unlessOwnUsers(rule: Rule): Rule {
  return (pod) => (pod.spec.hostUsers === false ? undefined : rule(pod));
}

/** Like `unlessOwnUsers`, if the server is configured to trust such pods. */
export function unlessTrustedUsers(rule: Rule): Rule {
  return (pod) => (pod.trustsOwnUsers && pod.spec.hostUsers === false ? undefined : rule(pod));
}

/** Relaxes the rule for Windows pods, where it does not apply. */
export function unlessWindows(rule: Rule): Rule {
  return (pod) => (pod.spec.os?.name === "windows" ? undefined : rule(pod));
}

/** `container "a"`, `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural("container", names.length)} ${quotedList(names)}`;
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

export function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

export function sortedSet(values: Iterable<string>): string[] {
  return [...new Set(values)].sort();
}

export function namesWhere(
  { spec }: CheckedPod,
  matches: (container: AnyContainer) => boolean,
): readonly string[] {
  return allContainers(spec)
    .filter(matches)
    .map(({ name }) => name);
}

/** Names where a bad value is set: `pod and container "a"`; undefined if nowhere. */
export function settersText(isPod: boolean, containers: readonly string[]): string | undefined {
  const setters = [
    ...(isPod ? ["pod"] : []),
    ...(containers.length === 0 ? [] : [containersText(containers)]),
  ];
  return setters.length === 0 ? undefined : setters.join(" and ");
}

import { minorOf } from "../../apimachinery/levels/api-level.js";
import { baselineChecks } from "./baseline-checks.js";
import type { Check, CheckedPod, Rule, Violation } from "./check.js";
import type { LevelVersion } from "./level.js";
import { restrictedChecks } from "./restricted-checks.js";

/**
 * The rules that a pod breaks: those of the baseline first, each in the order of their names. The rules of the server's level stand for
 * "latest" and later versions.
 */
export function violationsOf(pod: CheckedPod, wanted: LevelVersion): readonly Violation[] {
  return rulesOf(wanted, minorOf(pod.apiLevel))
    .map((rule) => rule(pod))
    .filter((violation) => violation !== undefined);
}

/** `host namespaces (hostPID=true), privileged (container "a" must not …)`. */
export function detailsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

/** `host namespaces, privileged`. */
export function reasonsText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}

function rulesOf({ level, version }: LevelVersion, newest: number): readonly Rule[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? newest : Math.min(version, newest);
  const restricted = level === "restricted" ? restrictedChecks.filter((check) => ruleAt(check, minor)) : [];
  const replaced = new Set(restricted.flatMap(({ replaces = [] }) => replaces));
  const baseline = baselineChecks.filter(({ id }) => !replaced.has(id));
  return [baseline, restricted]
    .flatMap((checks) => checks.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    .map((check) => ruleAt(check, minor))
    .filter((rule) => rule !== undefined);
}

function ruleAt({ rules }: Check, minor: number): Rule | undefined {
  return rules.findLast(({ since }) => since <= minor)?.rule;
}

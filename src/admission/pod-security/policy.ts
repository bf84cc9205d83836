import { type FieldError, FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import {
  areEquivalent,
  isStricter,
  type Level,
  type LevelVersion,
  type PolicyVersion,
  parseLevel,
  parseVersion,
  printLevelVersion,
  wrongLevel,
  wrongVersion,
} from "./level.js";

/** What happens to pods that break rules. */
export const modes = ["enforce", "audit", "warn"] as const;
export type Mode = (typeof modes)[number];

export type Policy = Readonly<Record<Mode, LevelVersion>>;

export interface ParsedPolicy {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

export interface PolicyLabels {
  /** `pod-security.<domain>/`. */
  readonly prefix: string;
  /** For what the labels leave out. */
  readonly defaults: Policy;
  readonly apiLevel: ApiLevel;
}

/**
 * The policy in a namespace's labels: `<prefix>enforce`, `<prefix>enforce-version` and so on. A malformed level is enforced as the
 * strictest, and ignored for audits and warnings. Since 1.26, an enforced level also warns, so that writers of workloads hear of it.
 */
export function policyOfLabels(
  labels: Readonly<Record<string, string>>,
  { prefix, defaults, apiLevel }: PolicyLabels,
): ParsedPolicy {
  const errors: FieldError[] = [];
  const refuse = (key: string, value: string, why: string): void => {
    errors.push(invalid(FieldPath.of("metadata", "labels").key(key), value, why));
  };
  const levelOf = (mode: Mode): Level => {
    const key = `${prefix}${mode}`;
    const text = labels[key];
    if (text === undefined) return defaults[mode].level;
    const level = parseLevel(text);
    if (level === undefined) refuse(key, text, wrongLevel);
    return level ?? (mode === "enforce" ? "restricted" : "privileged");
  };
  const versionOf = (mode: Mode): PolicyVersion => {
    const key = `${prefix}${mode}-version`;
    const text = labels[key];
    if (text === undefined) return defaults[mode].version;
    const version = parseVersion(text);
    if (version === undefined) refuse(key, text, wrongVersion);
    return version ?? "latest";
  };
  const of = (mode: Mode): LevelVersion => ({ level: levelOf(mode), version: versionOf(mode) });
  const policy = { enforce: of("enforce"), audit: of("audit"), warn: of("warn") };
  const { enforce, warn } = policy;
  const warnsAsEnforced =
    isAtLeast(apiLevel, "1.26") &&
    labels[`${prefix}warn`] === undefined &&
    parseLevel(labels[`${prefix}enforce`] ?? "") !== undefined &&
    isStricter(enforce.level, warn.level);
  if (!warnsAsEnforced) return { policy, errors };
  const { version } = labels[`${prefix}warn-version`] === undefined ? enforce : warn;
  return { policy: { ...policy, warn: { level: enforce.level, version } }, errors };
}

/** A warning about labels of an exempt namespace, which have no effect; undefined if they equal the defaults. */
export function exemptNamespaceWarning(
  namespace: string,
  policy: Policy,
  labels: Readonly<Record<string, string>>,
  { prefix, defaults }: PolicyLabels,
): string | undefined {
  if (modes.every((mode) => policy[mode].level === "privileged")) return undefined;
  if (modes.every((mode) => areEquivalent(policy[mode], defaults[mode]))) return undefined;
  const isLabelled = (mode: Mode): boolean =>
    labels[`${prefix}${mode}`] !== undefined || labels[`${prefix}${mode}-version`] !== undefined;
  const ignored = modes
    .filter((mode) => policy[mode].level !== "privileged" && isLabelled(mode))
    .map((mode) => `${mode}=${printLevelVersion(policy[mode])}`);
  return `namespace "${namespace}" is exempt from Pod Security, and the policy (${ignored.join(", ")}) will be ignored`;
}

import { type FieldError, FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import {
  type Level,
  type LevelVersion,
  type PolicyVersion,
  parseLevel,
  parseVersion,
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

/**
 * The policy in a namespace's labels: `<prefix>enforce`, `<prefix>enforce-version` and so on. A malformed level is enforced as the
 * strictest, and ignored for audits and warnings.
 */
export function policyOfLabels(
  labels: Readonly<Record<string, string>>,
  prefix: string,
  defaults: Policy,
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
  return { policy: { enforce: of("enforce"), audit: of("audit"), warn: of("warn") }, errors };
}

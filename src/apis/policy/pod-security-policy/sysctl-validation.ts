import { type FieldError, type FieldPath, forbidden, invalid } from "../../../apimachinery/field-error.js";

const sysctlLengthMax = 253;
const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const format = `(${segment}\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`;
const pattern = new RegExp(`^${format}$`);

/** Names, optionally ending in `*`; `*` alone matches all. */
export function validateSysctlPatterns(sysctls: readonly string[], path: FieldPath): FieldError[] {
  const errors = sysctls.flatMap((sysctl, index) => {
    const at = path.index(index);
    if (sysctl === "") return [invalid(at, sysctl, "empty sysctl not allowed")];
    if (sysctl.length <= sysctlLengthMax && pattern.test(sysctl)) return [];
    const why = `must have at most ${sysctlLengthMax} characters and match regex ${format}`;
    return [invalid(at, sysctl, why)];
  });
  if (sysctls.includes("*") && sysctls.length > 1) {
    errors.push(forbidden(path.child("items"), "if '*' is present, must not specify other sysctls"));
  }
  return errors;
}

interface SysctlList {
  readonly sysctls: readonly string[];
  readonly path: FieldPath;
}

/** Of two overlapping patterns, the list with the narrower one is reported. */
export function validateNoSysctlOverlap(allowed: SysctlList, forbiddenOnes: SysctlList): FieldError[] {
  return allowed.sysctls.flatMap((one, i) =>
    forbiddenOnes.sysctls.flatMap((other, j) => {
      if (covers(other, one)) return [invalid(allowed.path.index(i), one, `sysctl overlaps with ${other}`)];
      if (covers(one, other))
        return [invalid(forbiddenOnes.path.index(j), other, `sysctl overlaps with ${one}`)];
      return [];
    }),
  );
}

function covers(wide: string, narrow: string): boolean {
  if (!wide.endsWith("*")) return wide === narrow;
  const prefix = wide.slice(0, -1);
  return (narrow.endsWith("*") ? narrow.slice(0, -1) : narrow).startsWith(prefix);
}

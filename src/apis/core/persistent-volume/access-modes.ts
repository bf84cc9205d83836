import {
  type FieldError,
  type FieldPath,
  forbidden,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";

const oncePod = "ReadWriteOncePod";
const sharedModes: readonly string[] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"];

const shortNames = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  [oncePod, "RWOP"],
] as const;

/** ReadWriteOncePod is behind a feature gate, but stays allowed where it is in use. */
export function validateAccessModes(
  modes: readonly string[],
  allowOncePod: boolean,
  path: FieldPath,
): FieldError[] {
  const supported = allowOncePod ? [...sharedModes, oncePod] : sharedModes;
  const errors = modes
    .filter((mode) => !supported.includes(mode))
    .map((mode) => notSupported(path, mode, supported));
  if (modes.includes(oncePod) && modes.some((mode) => sharedModes.includes(mode))) {
    errors.push(forbidden(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

export function usesOncePod(modes: readonly string[] | undefined): boolean {
  return modes?.includes(oncePod) ?? false;
}

/** As tables print them: `RWO,RWX`. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return shortNames
    .filter(([mode]) => modes?.includes(mode) ?? false)
    .map(([, short]) => short)
    .join(",");
}

import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  longerThan,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { AppArmorProfile } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { placedContainers } from "./containers.js";
import { appArmorAnnotationPrefix } from "./pod-annotations.js";
import type { PodLike, PodValidationOptions } from "./pod-validation-rules.js";

const rules = fieldRules<AppArmorProfile>(coreV1Types, "AppArmorProfile");

/** One less than the longest path of Linux. */
const profileBytesMax = 4095;
const localhostPrefix = "localhost/";

export function validateAppArmorProfile(profile: AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile: name } = profile;
  const namePath = path.child("localhostProfile");
  switch (type) {
    case "Localhost":
      return validateLocalhostProfile(name, namePath);
    case "RuntimeDefault":
    case "Unconfined":
      if (name === undefined) return [];
      return [invalid(namePath, name, "can only be set when AppArmor type is Localhost")];
    default:
      return rules.check(profile, path, "type");
  }
}

function validateLocalhostProfile(name: string | undefined, path: FieldPath): FieldError[] {
  const missing = required(path, "must be set when AppArmor type is Localhost");
  if (name === undefined) return [missing];
  const errors: FieldError[] = [];
  if (name.trim() !== name) errors.push(invalid(path, name, "must not be padded with whitespace"));
  else if (name === "") errors.push(missing);
  if (byteLength(name) > profileBytesMax) errors.push(longerThan(path, profileBytesMax));
  return errors;
}

/** A container's profile that is given as a field and as an annotation must be the same. `path` is that of the spec. */
export function validateAppArmorAgreement(
  { metadata, spec }: PodLike,
  path: FieldPath,
  { naming }: PodValidationOptions,
): FieldError[] {
  const { annotations } = metadata;
  if (annotations === undefined || spec.os?.name === "windows") return [];
  const prefix = appArmorAnnotationPrefix(naming);
  return errorsOfEach(placedContainers(spec, path), ({ container, path: at }) => {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[`${prefix}${container.name}`];
    if (profile === undefined || annotation === undefined) return [];
    return agreementErrors(annotation, profile, at.child("securityContext", "appArmorProfile"));
  });
}

function agreementErrors(annotation: string, profile: AppArmorProfile, path: FieldPath): FieldError[] {
  const otherType = [forbidden(path.child("type"), "apparmor type in annotation and field must match")];
  switch (profile.type) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : otherType;
    case "RuntimeDefault":
      return annotation === "runtime/default" ? [] : otherType;
    case "Localhost": {
      if (!annotation.startsWith(localhostPrefix)) return otherType;
      if (annotation.slice(localhostPrefix.length) === profile.localhostProfile) return [];
      const why = "apparmor profile in annotation and field must match";
      return [forbidden(path.child("localhostProfile"), why)];
    }
    default:
      return [];
  }
}

/** The profile that an annotation names; undefined for none and for a wrong one. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith(localhostPrefix) || annotation === localhostPrefix) return undefined;
  return { type: "Localhost", localhostProfile: annotation.slice(localhostPrefix.length) };
}

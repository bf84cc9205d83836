import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { FieldPath, hasErrors } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { AppArmorProfile, Pod } from "../../gen/core-v1.js";
import { appArmorProfileOf, validateAppArmorProfile } from "../pod-spec/app-armor-validation.js";
import { allContainers } from "../pod-spec/containers.js";
import { appArmorAnnotationPrefix } from "../pod-spec/pod-annotations.js";
import { appArmorAnnotationWarning } from "../pod-spec/warnings.js";

/**
 * AppArmor profiles were annotations before they became fields: an annotation of a new pod becomes a field and, as long as node
 * agents read annotations alone, a field becomes an annotation. In place. Returns warnings of annotations.
 */
export function alignAppArmorAnnotations(pod: Pod, { naming, level }: ApiContext): string[] {
  const { spec, metadata } = pod;
  if (spec.os?.name === "windows") return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  const prefix = appArmorAnnotationPrefix(naming);
  const warnings: string[] = [];
  for (const container of allContainers(spec)) {
    const key = `${prefix}${container.name}`;
    const annotation = metadata.annotations?.[key];
    const ofContainer = container.securityContext?.appArmorProfile;
    if (annotation === undefined) {
      const profile = ofContainer ?? ofPod;
      if (profile === undefined || isAtLeast(level, "1.34")) continue;
      const text = annotationOf(profile);
      if (text !== undefined) metadata.annotations = { ...metadata.annotations, [key]: text };
    } else if (ofContainer === undefined) {
      const profile = validProfileOf(annotation);
      const isNew = profile !== undefined && !isDeepEqual(profile, ofPod);
      if (isNew) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
      if (isNew || profile === undefined) {
        warnings.push(appArmorAnnotationWarning(FieldPath.of("metadata", "annotations").key(key)));
      }
    }
  }
  return warnings;
}

function validProfileOf(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorProfileOf(annotation);
  return hasErrors(() => validateAppArmorProfile(profile, FieldPath.of())) ? undefined : profile;
}

function annotationOf({ type, localhostProfile }: AppArmorProfile): string | undefined {
  if (type === "Unconfined") return "unconfined";
  if (type === "RuntimeDefault") return "runtime/default";
  return localhostProfile === undefined ? undefined : `localhost/${localhostProfile}`;
}

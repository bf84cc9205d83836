import { type FieldError, FieldPath, forbidden } from "../../apimachinery/errors/field-error.js";
import type { AnyContainer } from "../../apis/core/pod-spec/containers.js";
import {
  appArmorAnnotationPrefix,
  seccompContainerAnnotation,
  seccompPodAnnotation,
} from "../../apis/core/pod-spec/pod-annotations.js";
import { seccompAnnotationOf, seccompProfileOf } from "../../apis/core/pod-spec/seccomp-profiles.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { ContainerRule, PodRule } from "./rules.js";

type Annotations = Readonly<Record<string, string>>;

const annotationsPath = FieldPath.of("pod", "metadata", "annotations");

/** AppArmor profiles, which policies and pods set by annotation. */
export function appArmorRule(annotations: Annotations, naming: Naming): ContainerRule {
  const prefix = `apparmor.security.beta.${naming.domain}/`;
  const usual = annotations[`${prefix}defaultProfileName`] ?? "";
  const allowedText = annotations[`${prefix}allowedProfileNames`];
  const allowed = allowedText === undefined ? undefined : new Set(allowedText.split(","));
  const keyOf = ({ name }: AnyContainer): string => `${appArmorAnnotationPrefix(naming)}${name}`;
  return {
    setDefaults(container, { metadata }) {
      if (usual === "" || (metadata.annotations?.[keyOf(container)] ?? "") !== "") return;
      // In place: the annotations are the pod's own copy, and a pod may have thousands of containers.
      metadata.annotations ??= {};
      metadata.annotations[keyOf(container)] = usual;
    },
    problems(container, { metadata }) {
      if (allowed === undefined) return [];
      const key = keyOf(container);
      const profile = metadata.annotations?.[key] ?? "";
      if (profile === "") return [forbidden(annotationsPath.key(key), "AppArmor profile must be set")];
      if (allowed.has(profile)) return [];
      const why = `${profile} is not an allowed profile. Allowed values: ${JSON.stringify(allowedText)}`;
      return [forbidden(annotationsPath.key(key), why)];
    },
  };
}

/** Seccomp profiles, which pods set by field or, with older clients, by annotation. */
export function seccompRules(
  annotations: Annotations,
  naming: Naming,
): { readonly pod: PodRule; readonly container: ContainerRule } {
  const prefix = `seccomp.security.alpha.${naming.domain}/`;
  const usual = annotations[`${prefix}defaultProfileName`] ?? "";
  const allowedText = annotations[`${prefix}allowedProfileNames`] ?? "";
  const allowed = allowedProfiles(allowedText);
  const podKey = seccompPodAnnotation(naming);

  const ofPod = ({ metadata, spec }: Pod): string =>
    (metadata.annotations?.[podKey] ?? "") || seccompAnnotationOf(spec.securityContext?.seccompProfile);
  const ofContainer = (container: AnyContainer, pod: Pod): string => {
    const field = container.securityContext?.seccompProfile;
    if (field !== undefined) return seccompAnnotationOf(field);
    const own = pod.metadata.annotations?.[seccompContainerAnnotation(naming, container.name)];
    if (own !== undefined) return own;
    const profile = pod.spec.securityContext?.seccompProfile;
    return profile === undefined ? (pod.metadata.annotations?.[podKey] ?? "") : seccompAnnotationOf(profile);
  };
  const check = (profile: string, key: string): readonly FieldError[] => {
    if (allowed.has("*") || allowed.has(profile) || (allowed.size === 0 && profile === "")) return [];
    const why =
      allowed.size === 0
        ? "seccomp may not be set"
        : `${profile} is not an allowed seccomp profile. Valid values are ${allowedText}`;
    return [forbidden(annotationsPath.key(key), why)];
  };

  return {
    pod: {
      setDefaults(pod) {
        const profile = ofPod(pod) || usual;
        if (profile === "") return;
        pod.metadata.annotations = { ...pod.metadata.annotations, [podKey]: profile };
        const seccompProfile = seccompProfileOf(profile);
        if (pod.spec.securityContext?.seccompProfile !== undefined || seccompProfile === undefined) return;
        pod.spec.securityContext = { ...pod.spec.securityContext, seccompProfile };
      },
      problems: (pod) => check(ofPod(pod), podKey),
    },
    container: {
      problems: (container, pod) =>
        check(ofContainer(container, pod), seccompContainerAnnotation(naming, container.name)),
    },
  };
}

/** `docker/default` and `runtime/default` name the same profile. */
function allowedProfiles(text: string): ReadonlySet<string> {
  const profiles = new Set(text === "" ? [] : text.split(","));
  for (const name of ["docker/default", "runtime/default"]) {
    if (!profiles.has(name)) continue;
    profiles.add("docker/default").add("runtime/default");
    break;
  }
  return profiles;
}

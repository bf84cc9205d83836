import type { Naming } from "../../../naming/naming.js";
import type { Pod, SeccompProfile } from "../../gen/core-v1.js";
import { allContainers } from "../pod-spec/containers.js";
import { seccompContainerAnnotation, seccompPodAnnotation } from "../pod-spec/pod-annotations.js";
import { seccompAnnotationOf, seccompProfileOf } from "../pod-spec/seccomp-profiles.js";

/**
 * Seccomp profiles were annotations before they became fields, and old node agents read only those: a new pod with either form gets
 * the other. In place.
 */
export function alignSeccompAnnotations(pod: Pod, naming: Naming): void {
  const { spec, metadata } = pod;
  align(seccompPodAnnotation(naming), spec.securityContext?.seccompProfile, (profile) => {
    spec.securityContext = { ...spec.securityContext, seccompProfile: profile };
  });
  for (const container of allContainers(spec)) {
    const key = seccompContainerAnnotation(naming, container.name);
    align(key, container.securityContext?.seccompProfile, (profile) => {
      container.securityContext = { ...container.securityContext, seccompProfile: profile };
    });
  }

  function align(
    key: string,
    profile: SeccompProfile | undefined,
    setProfile: (profile: SeccompProfile) => void,
  ): void {
    const annotation = metadata.annotations?.[key];
    if (profile !== undefined && annotation === undefined) {
      const text = seccompAnnotationOf(profile);
      if (text !== "") metadata.annotations = { ...metadata.annotations, [key]: text };
    } else if (profile === undefined && annotation !== undefined) {
      const read = seccompProfileOf(annotation);
      if (read !== undefined) setProfile(read);
    }
  }
}

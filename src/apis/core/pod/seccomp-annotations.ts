import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Pod, SeccompProfile } from "../../gen/core-v1.js";
import { allContainers } from "../pod-spec/containers.js";
import { seccompContainerAnnotation, seccompPodAnnotation } from "../pod-spec/pod-annotations.js";
import { seccompAnnotationOf, seccompProfileOf } from "../pod-spec/seccomp-profiles.js";

/**
 * Seccomp profiles were annotations before they became fields. A new pod with an annotation gets the field below 1.27; one with a
 * field got the annotation below 1.25, for node agents that read only those. In place.
 */
export function alignSeccompAnnotations(pod: Pod, { naming, level }: ApiContext): void {
  if (isAtLeast(level, "1.27")) return;
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
      if (isAtLeast(level, "1.25")) return;
      const text = seccompAnnotationOf(profile);
      if (text !== "") metadata.annotations = { ...metadata.annotations, [key]: text };
    } else if (profile === undefined && annotation !== undefined) {
      const read = seccompProfileOf(annotation);
      if (read !== undefined) setProfile(read);
    }
  }
}

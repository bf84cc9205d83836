import type { Naming } from "../../../naming/naming.js";

/** Pod annotations that the server interprets. */
export function seccompPodAnnotation(naming: Naming): string {
  return `seccomp.security.alpha.${naming.domain}/pod`;
}

export function seccompContainerAnnotation(naming: Naming, container: string): string {
  return `container.seccomp.security.alpha.${naming.domain}/${container}`;
}

/** Followed by the container's name. */
export function appArmorAnnotationPrefix(naming: Naming): string {
  return `container.apparmor.security.beta.${naming.domain}/`;
}

/** Set on the mirror pod of a static pod. */
export function mirrorPodAnnotation(naming: Naming): string {
  return `${naming.domain}/config.mirror`;
}

export function podDeletionCostAnnotation(naming: Naming): string {
  return `controller.${naming.domain}/pod-deletion-cost`;
}

/** Tolerations as JSON, from before they became a field. */
export function tolerationsAnnotation(naming: Naming): string {
  return `scheduler.alpha.${naming.domain}/tolerations`;
}

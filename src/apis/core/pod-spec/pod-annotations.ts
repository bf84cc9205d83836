import type { Naming } from "../../../naming/naming.js";

/** Annotations of pods that the server itself understands. */
export function seccompPodAnnotation(naming: Naming): string {
  return `seccomp.security.alpha.${naming.domain}/pod`;
}

export function seccompContainerAnnotation(naming: Naming, container: string): string {
  return `container.seccomp.security.alpha.${naming.domain}/${container}`;
}

/** Before the container's name. */
export function appArmorAnnotationPrefix(naming: Naming): string {
  return `container.apparmor.security.beta.${naming.domain}/`;
}

/** On the copy in the API of a pod that a node runs from a file of its own. */
export function mirrorPodAnnotation(naming: Naming): string {
  return `${naming.domain}/config.mirror`;
}

export function podDeletionCostAnnotation(naming: Naming): string {
  return `controller.${naming.domain}/pod-deletion-cost`;
}

/** Tolerations as JSON, from before they were a field. */
export function tolerationsAnnotation(naming: Naming): string {
  return `scheduler.alpha.${naming.domain}/tolerations`;
}

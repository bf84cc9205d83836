import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { Container, EphemeralContainer, PodSpec } from "../../gen/core-v1.js";

export type AnyContainer = Container | EphemeralContainer;

/** Every container of a pod, in the order in which Kubernetes visits them. */
export function allContainers(spec: PodSpec): AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

export interface PlacedContainer {
  readonly container: AnyContainer;
  readonly kind: "init" | "regular" | "ephemeral";
  readonly path: FieldPath;
}

const containerLists = [
  ["init", "initContainers"],
  ["regular", "containers"],
  ["ephemeral", "ephemeralContainers"],
] as const;

/** Like `allContainers`, with the list of each and its path below that of the spec. */
export function placedContainers(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  const placed: PlacedContainer[] = [];
  for (const [kind, field] of containerLists) {
    const containers: readonly AnyContainer[] | undefined = spec[field];
    if (containers === undefined || containers.length === 0) continue;
    const at = path.child(field);
    for (const [index, container] of containers.entries()) {
      placed.push({ container, kind, path: at.index(index) });
    }
  }
  return placed;
}

/** An init container that keeps running beside the others. */
export function isSidecar({ restartPolicy }: AnyContainer): boolean {
  return restartPolicy === "Always";
}

import type { FieldPath } from "../../../apimachinery/field-error.js";
import type { Container, EphemeralContainer, PodSpec } from "../../gen/core-v1.js";

export type AnyContainer = Container | EphemeralContainer;

/** Every container of a pod in the order in which the original visits them. */
export function allContainers(spec: PodSpec): AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

export interface PlacedContainer {
  readonly container: AnyContainer;
  readonly path: FieldPath;
}

/** As `allContainers`, each with its path below that of the spec. */
export function placedContainers(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  return (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({ container, path: path.child(field).index(index) })),
  );
}

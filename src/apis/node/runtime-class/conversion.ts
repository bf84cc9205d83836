import type { RuntimeClass } from "../../gen/node-v1.js";
import type { RuntimeClass as RuntimeClassV1alpha1 } from "../../gen/node-v1alpha1.js";

/** v1alpha1 has these fields in a spec, and another name for the handler. */
export function runtimeClassFromV1alpha1({ metadata, spec }: RuntimeClassV1alpha1): RuntimeClass {
  const { runtimeHandler, ...rest } = spec;
  return { metadata, handler: runtimeHandler, ...rest };
}

export function runtimeClassToV1alpha1({ metadata, handler, ...rest }: RuntimeClass): RuntimeClassV1alpha1 {
  return { metadata, spec: { runtimeHandler: handler, ...rest } };
}

import type { ApiContext } from "../../definition/api-context.js";
import type { ReplicationController } from "../../gen/core-v1.js";
import { setPodTemplateSpecDefaults } from "../pod-spec/defaults.js";

export function setReplicationControllerDefaults(object: ReplicationController, context: ApiContext): void {
  const { spec, metadata } = object;
  const labels = spec.template?.metadata.labels;
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template !== undefined) setPodTemplateSpecDefaults(spec.template, context);
}

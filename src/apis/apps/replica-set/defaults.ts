import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { ReplicaSet } from "../../gen/apps-v1.js";

export function setReplicaSetDefaults({ spec }: ReplicaSet, context: ApiContext): void {
  spec.replicas ??= 1;
  setPodTemplateSpecDefaults(spec.template, context);
}

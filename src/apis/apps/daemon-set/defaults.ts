import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { DaemonSet } from "../../gen/apps-v1.js";

export function setDaemonSetDefaults({ spec }: DaemonSet, context: ApiContext): void {
  const { updateStrategy } = spec;
  updateStrategy.type ||= "RollingUpdate";
  if (updateStrategy.type === "RollingUpdate") {
    updateStrategy.rollingUpdate ??= {};
    updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateSpecDefaults(spec.template, context);
}

import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Deployment } from "../../gen/apps-v1.js";

export function setDeploymentDefaults({ spec }: Deployment, context: ApiContext): void {
  spec.replicas ??= 1;
  spec.strategy.type ||= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= "25%";
    spec.strategy.rollingUpdate.maxSurge ??= "25%";
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setPodTemplateSpecDefaults(spec.template, context);
}

import { setPersistentVolumeClaimDefaults } from "../../core/persistent-volume-claim/defaults.js";
import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { StatefulSet } from "../../gen/apps-v1.js";

export function setStatefulSetDefaults({ spec }: StatefulSet, context: ApiContext): void {
  const { updateStrategy } = spec;
  spec.podManagementPolicy ||= "OrderedReady";
  if ((updateStrategy.type ?? "") === "") {
    updateStrategy.type = "RollingUpdate";
    updateStrategy.rollingUpdate ??= {};
  }
  if (updateStrategy.type === "RollingUpdate" && updateStrategy.rollingUpdate !== undefined) {
    updateStrategy.rollingUpdate.partition ??= 0;
    if (context.isEnabled("MaxUnavailableStatefulSet")) updateStrategy.rollingUpdate.maxUnavailable ??= 1;
  }
  if (context.isEnabled("StatefulSetAutoDeletePVC")) {
    spec.persistentVolumeClaimRetentionPolicy ??= {};
    spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= "Retain";
    spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= "Retain";
  }
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateSpecDefaults(spec.template, context);
  for (const claim of spec.volumeClaimTemplates ?? []) setPersistentVolumeClaimDefaults(claim);
}

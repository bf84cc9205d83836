import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { nameIsDnsLabel, nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { StatefulSet } from "../../gen/apps-v1.js";
import { replicaScale } from "../replica-scale.js";
import { templateRules } from "../template-rules.js";
import { statefulSetColumns } from "./columns.js";
import { setStatefulSetDefaults } from "./defaults.js";
import {
  validateStatefulSet,
  validateStatefulSetStatusUpdate,
  validateStatefulSetUpdate,
} from "./validation.js";
import { statefulSetWarnings } from "./warnings.js";

export function statefulSets(context: ApiContext): ResourceDefinition<StatefulSet> {
  const template = templateRules<StatefulSet>(context, {
    namesPods: true,
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
  });
  const main = specStrategy<StatefulSet>({
    ...template,
    validateName: isAtLeast(context.level, "1.27") ? nameIsDnsLabel : nameIsDnsSubdomain,
    warningsOnCreate: (write, object) => [
      ...(template.warningsOnCreate?.(write, object) ?? []),
      ...statefulSetWarnings(object, context.level, { isUpdate: false }),
    ],
    warningsOnUpdate: (write, object, old) => [
      ...(template.warningsOnUpdate?.(write, object, old) ?? []),
      ...statefulSetWarnings(object, context.level, { isUpdate: true }),
    ],
    emptyStatus: () => ({ replicas: 0, availableReplicas: 0 }),
    prepareForCreate(write, object) {
      template.prepareForCreate?.(write, object);
      dropDisabledFields(object, undefined);
    },
    prepareForUpdate(write, object, old) {
      template.prepareForUpdate?.(write, object, old);
      dropDisabledFields(object, old);
    },
  });

  function dropDisabledFields({ spec }: StatefulSet, old: StatefulSet | undefined): void {
    if (
      !context.isEnabled("StatefulSetAutoDeletePVC") &&
      old?.spec.persistentVolumeClaimRetentionPolicy === undefined
    ) {
      delete spec.persistentVolumeClaimRetentionPolicy;
    }
    if (!context.isEnabled("StatefulSetMinReadySeconds") && (old?.spec.minReadySeconds ?? 0) === 0) {
      delete spec.minReadySeconds;
    }
  }

  return defineResource<StatefulSet>({
    group: "apps",
    resource: "statefulsets",
    kind: "StatefulSet",
    namespaced: true,
    shortNames: ["sts"],
    categories: ["all"],
    versions: [
      hub<StatefulSet>(context, {
        version: "v1",
        type: "apps/v1.StatefulSet",
        setDefaults: (object) => setStatefulSetDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/statefulsets" },
    strategy: main,
    subresources: [
      { kind: "scale", name: "scale", verbs: partVerbs, scale: replicaScale<StatefulSet>() },
      statusPart(main, {
        validateUpdate: (_write, object, old) => validateStatefulSetStatusUpdate(object, old, context.level),
      }),
    ],
    columns: statefulSetColumns,
  });
}

import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { DaemonSet } from "../../gen/apps-v1.js";
import { templateRules } from "../template-rules.js";
import { daemonSetColumns } from "./columns.js";
import { setDaemonSetDefaults } from "./defaults.js";
import {
  setTemplateGeneration,
  templateGenerationAnnotation,
  templateGenerationOf,
} from "./template-generation.js";
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from "./validation.js";

export function daemonSets(context: ApiContext): ResourceDefinition<DaemonSet> {
  const template = templateRules<DaemonSet>(context, {
    validate: validateDaemonSet,
    validateUpdate: validateDaemonSetUpdate,
  });
  const main = specStrategy<DaemonSet>({
    ...template,
    emptyStatus: () => ({
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    }),
    prepareForCreate(write, object) {
      template.prepareForCreate?.(write, object);
      dropDisabledSurge(object, undefined);
      setTemplateGeneration(object, undefined);
    },
    prepareForUpdate(write, object, old) {
      template.prepareForUpdate?.(write, object, old);
      dropDisabledSurge(object, old);
      setTemplateGeneration(object, old);
    },
    warningsOnUpdate: (write, object, old) =>
      templateGenerationOf(object) === templateGenerationOf(old)
        ? []
        : (template.warningsOnUpdate?.(write, object, old) ?? []),
  });

  function dropDisabledSurge({ spec }: DaemonSet, old: DaemonSet | undefined): void {
    if (context.isEnabled("DaemonSetUpdateSurge") || isSurging(old)) return;
    // Zero is the default, and means the same as absent.
    if (spec.updateStrategy.rollingUpdate !== undefined) spec.updateStrategy.rollingUpdate.maxSurge = 0;
  }

  return defineResource<DaemonSet>({
    group: "apps",
    resource: "daemonsets",
    kind: "DaemonSet",
    namespaced: true,
    shortNames: ["ds"],
    categories: ["all"],
    versions: [
      hub<DaemonSet>(context, {
        version: "v1",
        type: "apps/v1.DaemonSet",
        setDefaults: (object) => setDaemonSetDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/daemonsets" },
    strategy: main,
    fieldAnnotations: [templateGenerationAnnotation],
    subresources: [
      statusPart(main, {
        prepareForUpdate: (_write, object, old) => setTemplateGeneration(object, old),
        validateUpdate: (_write, object, old) => validateDaemonSetStatusUpdate(object, old),
      }),
    ],
    columns: daemonSetColumns,
  });
}

function isSurging(object: DaemonSet | undefined): boolean {
  const surge = object?.spec.updateStrategy.rollingUpdate?.maxSurge ?? 0;
  return surge !== 0 && surge !== "0%";
}

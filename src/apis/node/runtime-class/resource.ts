import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { Naming } from "../../../naming/naming.js";
import { nodeLabelDeprecation } from "../../checks/node-label-deprecation.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { RuntimeClass } from "../../gen/node-v1.js";
import type { RuntimeClass as RuntimeClassV1alpha1 } from "../../gen/node-v1alpha1.js";
import { runtimeClassFromV1alpha1, runtimeClassToV1alpha1 } from "./conversion.js";
import { validateRuntimeClass, validateRuntimeClassUpdate } from "./validation.js";

export function runtimeClasses(context: ApiContext): ResourceDefinition<RuntimeClass> {
  const warns = isAtLeast(context.level, "1.25");
  return defineResource<RuntimeClass>({
    group: context.naming.group("node"),
    resource: "runtimeclasses",
    kind: "RuntimeClass",
    namespaced: false,
    versions: [
      hub<RuntimeClass>(context, { version: "v1", type: "node/v1.RuntimeClass" }),
      // The same fields as in v1.
      spoke<RuntimeClass, RuntimeClass>(context, {
        version: "v1beta1",
        until: "1.25",
        type: "node/v1beta1.RuntimeClass",
        lifecycle: { introduced: "1.13", deprecated: "1.22", removed: "1.25" },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
      spoke<RuntimeClass, RuntimeClassV1alpha1>(context, {
        version: "v1alpha1",
        until: "1.24",
        type: "node/v1alpha1.RuntimeClass",
        enabledByDefault: false,
        toHub: runtimeClassFromV1alpha1,
        fromHub: runtimeClassToV1alpha1,
      }),
    ],
    storage: { version: "v1", prefix: "/runtimeclasses" },
    strategy: strategy<RuntimeClass>({
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      prepareForCreate(_context, object) {
        if (!context.isEnabled("PodOverhead")) object.overhead = undefined;
      },
      validate: (_context, object) => validateRuntimeClass(object, context),
      validateUpdate: (_context, object, old) => validateRuntimeClassUpdate(object, old, context),
      ...(warns && {
        warningsOnCreate: (_context, object) => nodeSelectorWarnings(object, context.naming),
        warningsOnUpdate: (_context, object) => nodeSelectorWarnings(object, context.naming),
      }),
    }),
    columns,
  });
}

/** Warns of deprecated node labels. */
function nodeSelectorWarnings({ scheduling }: RuntimeClass, naming: Naming): string[] {
  const path = FieldPath.of("scheduling", "nodeSelector");
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
    const message = nodeLabelDeprecation(label, naming);
    return message === undefined ? [] : [`${path}: ${message}`];
  });
}

const columns: TableColumns<RuntimeClass> = {
  columns: [nameColumn, column("Handler", "string", "Runtime configuration on the nodes."), ageColumn],
  cells: (object, now) => [object.metadata.name ?? "", object.handler, ageCell(object, now)],
};

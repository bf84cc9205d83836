import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PriorityClass } from "../../gen/scheduling-v1.js";
import { systemPriorityClasses } from "../system-priority-classes.js";
import { validatePriorityClass, validatePriorityClassUpdate } from "./validation.js";

export function priorityClasses(context: ApiContext): ResourceDefinition<PriorityClass> {
  const isGated = !context.isEnabled("NonPreemptingPriority");
  return defineResource<PriorityClass>({
    group: context.naming.group("scheduling"),
    resource: "priorityclasses",
    kind: "PriorityClass",
    namespaced: false,
    shortNames: ["pc"],
    versions: [
      hub<PriorityClass>(context, {
        version: "v1",
        type: "scheduling/v1.PriorityClass",
        setDefaults(object) {
          if (!isGated) object.preemptionPolicy ??= "PreemptLowerPriority";
        },
      }),
    ],
    storage: { version: "v1", prefix: "/priorityclasses" },
    strategy: strategy<PriorityClass>({
      prepareForCreate(_context, object) {
        object.metadata.generation = 1;
        if (isGated) object.preemptionPolicy = undefined;
      },
      prepareForUpdate(_context, object, old) {
        if (isGated && old.preemptionPolicy === undefined) object.preemptionPolicy = undefined;
      },
      validate: (_context, object) => validatePriorityClass(object),
      validateUpdate: (_context, object, old) => validatePriorityClassUpdate(object, old),
      undeletable: (name) =>
        systemPriorityClasses.some((system) => system.name === name)
          ? "this is a system priority class and cannot be deleted"
          : undefined,
    }),
    columns,
  });
}

const columns: TableColumns<PriorityClass> = {
  columns: [
    nameColumn,
    column("Value", "integer", "Priority of the pods of the class; higher goes first."),
    column("Global-Default", "boolean", "Whether pods without a class are of this one."),
    ageColumn,
    {
      ...column("PreemptionPolicy", "string", "Whether pods of the class may displace others."),
      since: "1.32",
    },
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.value,
    object.globalDefault ?? false,
    ageCell(object, now),
    object.preemptionPolicy ?? "",
  ],
};

import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ResourceClass as ResourceClassV1alpha1 } from "../../gen/resource-v1alpha1.js";
import type { ResourceClass } from "../../gen/resource-v1alpha2.js";
import { validateReference } from "./references.js";
import { classicStorage, classicVersions } from "./versions.js";

export function resourceClasses(context: ApiContext): ResourceDefinition<ResourceClass> {
  return defineResource<ResourceClass>({
    group: context.naming.group("resource"),
    resource: "resourceclasses",
    kind: "ResourceClass",
    namespaced: false,
    since: "1.26",
    until: "1.31",
    versions: classicVersions<ResourceClass, ResourceClassV1alpha1>(context, "ResourceClass", {
      toHub: (object) => object,
      fromHub: (object) => object,
    }),
    storage: classicStorage("resourceclasses"),
    strategy: strategy<ResourceClass>({
      validate: (_write, object) => validate(object),
      validateUpdate: (_write, object) => validate(object),
    }),
    returnsDeletedObject: true,
    columns,
  });
}

function validate({ driverName, parametersRef, suitableNodes }: ResourceClass): FieldError[] {
  return [
    ...validateDriverName(driverName, FieldPath.of("driverName")),
    ...validateReference(parametersRef, FieldPath.of("parametersRef")),
    ...(suitableNodes === undefined
      ? []
      : validateNodeSelector(suitableNodes, FieldPath.of("suitableNodes"), { anyValues: true })),
  ];
}

const columns: TableColumns<ResourceClass> = {
  columns: [nameColumn, column("DriverName", "string", "Who allocates the resource."), ageColumn],
  cells: (object, now) => [object.metadata.name ?? "", object.driverName, ageCell(object, now)],
};

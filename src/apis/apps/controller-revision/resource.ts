import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ControllerRevision } from "../../gen/apps-v1.js";
import { validateControllerRevisionUpdate, validateNewControllerRevision } from "./validation.js";

export function controllerRevisions(context: ApiContext): ResourceDefinition<ControllerRevision> {
  return defineResource<ControllerRevision>({
    group: "apps",
    resource: "controllerrevisions",
    kind: "ControllerRevision",
    namespaced: true,
    versions: [hub<ControllerRevision>(context, { version: "v1", type: "apps/v1.ControllerRevision" })],
    storage: { version: "v1", prefix: "/controllerrevisions" },
    strategy: strategy<ControllerRevision>({
      validate: (_write, object) => validateNewControllerRevision(object, context.level),
      validateUpdate: (_write, object, old) => validateControllerRevisionUpdate(object, old, context.level),
    }),
    columns,
  });
}

const columns: TableColumns<ControllerRevision> = {
  columns: [
    nameColumn,
    column("Controller", "string", "The workload whose state it keeps."),
    column("Revision", "string", "Number of the state."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    controllerCell(object),
    object.revision,
    ageCell(object, now),
  ],
};

function controllerCell({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return "<none>";
  const slash = owner.apiVersion.indexOf("/");
  const group = slash < 0 ? "" : owner.apiVersion.slice(0, slash);
  const kind = owner.kind.toLowerCase();
  return `${group === "" ? kind : `${kind}.${group.toLowerCase()}`}/${owner.name}`;
}

import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { CSINode } from "../../gen/storage-v1.js";
import { validateCsiNode, validateCsiNodeUpdate } from "./validation.js";

export function csiNodes(context: ApiContext): ResourceDefinition<CSINode> {
  const allowsCounts = context.isEnabled("MutableCSINodeAllocatableCount");
  return defineResource<CSINode>({
    group: context.naming.group("storage"),
    resource: "csinodes",
    kind: "CSINode",
    namespaced: false,
    versions: [hub<CSINode>(context, { version: "v1", type: "storage/v1.CSINode" })],
    storage: { version: "v1", prefix: "/csinodes" },
    strategy: strategy<CSINode>({
      allowUnconditionalUpdate: false,
      validate: (_context, object) => validateCsiNode(object),
      validateUpdate: (_context, object, old) => validateCsiNodeUpdate(object, old, allowsCounts),
    }),
    returnsDeletedObject: true,
    columns,
  });
}

const columns: TableColumns<CSINode> = {
  columns: [nameColumn, column("Drivers", "integer", "Number of volume drivers on the node."), ageColumn],
  cells: (object, now) => [
    object.metadata.name ?? "",
    (object.spec.drivers ?? []).length,
    ageCell(object, now),
  ],
};

import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Lease } from "../../gen/coordination-v1.js";
import { validateLease } from "./validation.js";

export function leases(context: ApiContext): ResourceDefinition<Lease> {
  return defineResource<Lease>({
    group: context.naming.group("coordination"),
    resource: "leases",
    kind: "Lease",
    namespaced: true,
    versions: [hub<Lease>(context, { version: "v1", type: "coordination/v1.Lease" })],
    storage: { version: "v1", prefix: "/leases" },
    strategy: strategy<Lease>({
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      validate: (_context, object) => validateLease(object),
      validateUpdate: (_context, object) => validateLease(object),
    }),
    columns,
  });
}

const columns: TableColumns<Lease> = {
  columns: [nameColumn, column("Holder", "string", "Who holds the lease."), ageColumn],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.spec.holderIdentity ?? "",
    ageCell(object, now),
  ],
};

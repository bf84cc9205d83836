import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ServiceCIDR } from "../../gen/networking-v1.js";
import { addressStorage, olderAddressVersions } from "../address-versions.js";
import { validateServiceCidr, validateServiceCidrUpdate } from "./validation.js";

export function serviceCidrs(context: ApiContext): ResourceDefinition<ServiceCIDR> {
  const main = strategy<ServiceCIDR>({
    ...(context.isEnabled("ServiceCIDRStatusFieldWiping") && {
      resetFields: [["status"]],
      prepareForCreate(_write, object) {
        object.status = {};
      },
      prepareForUpdate(_write, object, old) {
        object.status = old.status;
      },
    }),
    validate: (_write, object) => validateServiceCidr(object, context.level),
    validateUpdate: (_write, object, old) => validateServiceCidrUpdate(object, old, context.level),
  });
  return defineResource<ServiceCIDR>({
    group: context.naming.group("networking"),
    resource: "servicecidrs",
    kind: "ServiceCIDR",
    namespaced: false,
    since: "1.29",
    versions: [
      hub<ServiceCIDR>(context, {
        version: "v1",
        since: "1.33",
        lifecycle: { introduced: "1.33" },
        type: "networking/v1.ServiceCIDR",
      }),
      ...olderAddressVersions.map((older) =>
        spoke<ServiceCIDR, ServiceCIDR>(context, {
          ...older,
          enabledByDefault: false,
          type: `networking/${older.version}.ServiceCIDR`,
          toHub: (object) => object,
          fromHub: (object) => object,
        }),
      ),
    ],
    storage: { ...addressStorage, prefix: "/servicecidrs" },
    strategy: main,
    subresources: [
      statusPart(main, {
        // Before 1.36, Kubernetes declares the reset fields for a group that does not exist.
        resetFields: isAtLeast(context.level, "1.36") ? [["metadata"], ["spec"]] : [],
        prepareForUpdate(_write, object, old) {
          if (isAtLeast(context.level, "1.32")) resetMetadataForStatus(object, old);
        },
      }),
    ],
    columns,
  });
}

const columns: TableColumns<ServiceCIDR> = {
  columns: [nameColumn, column("CIDRs", "string", "The ranges that services get addresses from."), ageColumn],
  cells: (object, now) => [
    object.metadata.name ?? "",
    (object.spec.cidrs ?? []).join(","),
    ageCell(object, now),
  ],
};

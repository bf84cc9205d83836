import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { canonicalIpProblems } from "../../../apimachinery/validation/ip-fields.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { IPAddress } from "../../gen/networking-v1.js";
import { addressStorage, olderAddressVersions } from "../address-versions.js";
import { olderIpProblems } from "../older-addresses.js";
import { validateIpAddress, validateIpAddressUpdate } from "./validation.js";

export function ipAddresses(context: ApiContext): ResourceDefinition<IPAddress> {
  return defineResource<IPAddress>({
    group: context.naming.group("networking"),
    resource: "ipaddresses",
    kind: "IPAddress",
    namespaced: false,
    since: "1.27",
    shortNames: ["ip"],
    versions: [
      hub<IPAddress>(context, {
        version: "v1",
        since: "1.33",
        lifecycle: { introduced: "1.33" },
        type: "networking/v1.IPAddress",
      }),
      ...olderAddressVersions.map((older) =>
        spoke<IPAddress, IPAddress>(context, {
          ...older,
          enabledByDefault: false,
          type: `networking/${older.version}.IPAddress`,
          toHub: (object) => object,
          fromHub: (object) => object,
        }),
      ),
    ],
    storage: { ...addressStorage, prefix: "/ipaddresses" },
    strategy: strategy<IPAddress>({
      validateName: isAtLeast(context.level, "1.33") ? canonicalIpProblems : olderIpProblems,
      validate: (_write, object) => validateIpAddress(object),
      validateUpdate: (_write, object, old) => validateIpAddressUpdate(object, old),
    }),
    columns,
  });
}

const columns: TableColumns<IPAddress> = {
  columns: [nameColumn, column("ParentRef", "string", "The object that has the address."), ageColumn],
  cells: (object, now) => [object.metadata.name ?? "", parentText(object), ageCell(object, now)],
};

function parentText({ spec: { parentRef } }: IPAddress): string {
  if (parentRef === undefined) return "<none>";
  const { group = "", resource = "", namespace = "", name = "" } = parentRef;
  const kind = group === "" ? resource : `${resource}.${group}`;
  return [kind.toLowerCase(), namespace, name].filter((part) => part !== "").join("/");
}

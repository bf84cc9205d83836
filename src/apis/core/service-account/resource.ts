import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { WriteContext } from "../../definition/strategy.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ServiceAccount } from "../../gen/core-v1.js";

export function serviceAccounts(context: ApiContext): ResourceDefinition<ServiceAccount> {
  const restriction = `${context.naming.domain}/enforce-mountable-secrets`;
  const warnings = ({ metadata }: ServiceAccount, old: ServiceAccount | undefined): string[] => {
    const value = metadata.annotations?.[restriction];
    if (value === undefined || value === old?.metadata.annotations?.[restriction]) return [];
    return [
      `metadata.annotations[${restriction}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  };
  return defineResource<ServiceAccount>({
    group: "",
    resource: "serviceaccounts",
    kind: "ServiceAccount",
    namespaced: true,
    shortNames: ["sa"],
    versions: [hub<ServiceAccount>(context, { version: "v1", type: "core/v1.ServiceAccount" })],
    storage: { version: "v1", prefix: "/serviceaccounts", decidesAccess: true },
    strategy: strategy<ServiceAccount>({
      prepareForCreate: (_context, object) => keepSecretNames(object),
      prepareForUpdate: (_context, object) => keepSecretNames(object),
      ...(isAtLeast(context.level, "1.32") && {
        warningsOnCreate: (_context: WriteContext, object: ServiceAccount) => warnings(object, undefined),
        warningsOnUpdate: (_context: WriteContext, object: ServiceAccount, old: ServiceAccount) =>
          warnings(object, old),
      }),
    }),
    returnsDeletedObject: true,
    subresources: [
      {
        kind: "operation",
        name: "token",
        verbs: ["create"],
        object: { group: context.naming.group("authentication"), version: "v1", kind: "TokenRequest" },
      },
    ],
    columns,
  });
}

/** Keeps only the names of referenced secrets, which are always in the account's own namespace. */
function keepSecretNames(object: ServiceAccount): void {
  object.secrets = object.secrets?.map(({ name }) => ({ name }));
}

const columns: TableColumns<ServiceAccount> = {
  columns: [
    nameColumn,
    { ...column("Secrets", "string", "Number of secrets that the account may use."), until: "1.35" },
    ageColumn,
  ],
  cells: (object, now) => [object.metadata.name ?? "", object.secrets?.length ?? 0, ageCell(object, now)],
};

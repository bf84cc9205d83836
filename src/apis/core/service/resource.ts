import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition, SelectableFields } from "../../definition/resource-definition.js";
import type { Service } from "../../gen/core-v1.js";
import { serviceColumns } from "./columns.js";
import { setServiceDefaults } from "./defaults.js";
import { setServiceReadDefaults } from "./read-defaults.js";
import { validateServiceStatus } from "./status-validation.js";
import { serviceStrategy } from "./strategy.js";
import { serviceStatusWarnings } from "./warnings.js";

const selectableFields: SelectableFields<Service> = {
  names: ["spec.clusterIP", "spec.type"],
  values: ({ spec: { clusterIP = "", type = "" } }) => ({ "spec.clusterIP": clusterIP, "spec.type": type }),
};

export function services(context: ApiContext): ResourceDefinition<Service> {
  const main = serviceStrategy(context);
  return defineResource<Service>({
    group: "",
    resource: "services",
    kind: "Service",
    namespaced: true,
    shortNames: ["svc"],
    categories: ["all"],
    versions: [
      hub<Service>(context, {
        version: "v1",
        type: "core/v1.Service",
        setDefaults: (object) => setServiceDefaults(context, object),
      }),
    ],
    storage: { version: "v1", prefix: "/services/specs" },
    setReadDefaults: (object) =>
      setServiceReadDefaults(object, context.options.serviceIpFamilies?.[0] ?? "IPv4", context.level),
    strategy: main,
    returnsDeletedObject: true,
    ...(isAtLeast(context.level, "1.31") && { selectableFields }),
    subresources: [
      {
        kind: "operation",
        name: "proxy",
        verbs: ["create", "delete", "get", "patch", "update"],
        object: { group: "", version: "", kind: "ServiceProxyOptions" },
      },
      statusPart<Service>(main, {
        validateUpdate: (_context, object, old) => validateServiceStatus(context, object, old),
        warningsOnUpdate: (_context, object) => serviceStatusWarnings(context, object),
      }),
    ],
    columns: serviceColumns,
  });
}

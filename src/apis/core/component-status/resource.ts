import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ComponentStatus } from "../../gen/core-v1.js";

/** Virtual: each read checks the health of the control plane's parts. */
export function componentStatuses(context: ApiContext): ResourceDefinition<ComponentStatus> {
  return defineResource<ComponentStatus>({
    group: "",
    resource: "componentstatuses",
    kind: "ComponentStatus",
    namespaced: false,
    shortNames: ["cs"],
    verbs: ["get", "list"],
    versions: [
      hub<ComponentStatus>(context, {
        version: "v1",
        type: "core/v1.ComponentStatus",
        lifecycle: { deprecated: "1.19" },
      }),
    ],
    storage: undefined,
    strategy: strategy<ComponentStatus>(),
    columns,
  });
}

const columns: TableColumns<ComponentStatus> = {
  columns: [
    nameColumn,
    column("Status", "string", "Healthy, Unhealthy, or Unknown when the part does not say."),
    column("Message", "string", "What the part answered."),
    column("Error", "string", "Why the part could not be asked."),
  ],
  cells(object) {
    const name = object.metadata.name ?? "";
    const health = object.conditions?.find((condition) => condition.type === "Healthy");
    if (health === undefined) return [name, "Unknown", "", ""];
    const status = health.status === "True" ? "Healthy" : "Unhealthy";
    return [name, status, health.message ?? "", health.error ?? ""];
  },
};

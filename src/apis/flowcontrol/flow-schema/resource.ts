import { compareText } from "../../../apimachinery/collections/compare-text.js";
import type { ApiContext } from "../../definition/api-context.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { FlowSchema } from "../../gen/flowcontrol-v1.js";
import { validateConditions } from "../conditions.js";
import { flowControlStrategies } from "../strategies.js";
import { flowControlStorage, flowControlVersions } from "../versions.js";
import { validateFlowSchema } from "./validation.js";

const defaultPrecedence = 1000;

export function flowSchemas(context: ApiContext): ResourceDefinition<FlowSchema> {
  const { main, status } = flowControlStrategies<FlowSchema>({
    validate: (_context, object) => validateFlowSchema(object),
    validateStatus: (_context, object) => validateConditions(object.status.conditions),
  });
  return defineResource<FlowSchema>({
    group: context.naming.group("flowcontrol.apiserver"),
    resource: "flowschemas",
    kind: "FlowSchema",
    namespaced: false,
    versions: flowControlVersions<FlowSchema, FlowSchema>(context, {
      kind: "FlowSchema",
      v1: { setDefaults },
      v1beta3: sameForm,
      v1beta2: sameForm,
    }),
    storage: { ...flowControlStorage, prefix: "/flowschemas" },
    strategy: main,
    subresources: [status],
    columns,
  });
}

function setDefaults({ spec }: FlowSchema): void {
  spec.matchingPrecedence ||= defaultPrecedence;
}

/** The fields are the same in every version. */
const sameForm = {
  setDefaults,
  toHub: (object: FlowSchema) => object,
  fromHub: (object: FlowSchema) => object,
};

const columns: TableColumns<FlowSchema> = {
  columns: [
    nameColumn,
    column("PriorityLevel", "string", "Priority level of the requests that match."),
    column("MatchingPrecedence", "string", "Which schema is asked first; lower goes first."),
    column("DistinguisherMethod", "string", "What tells the flows of the schema apart."),
    ageColumn,
    column("MissingPL", "string", "Whether the priority level does not exist."),
  ],
  cells: (object, now) => {
    const { spec, status } = object;
    const dangling = (status.conditions ?? []).find((condition) => condition.type === "Dangling");
    return [
      object.metadata.name ?? "",
      spec.priorityLevelConfiguration.name,
      spec.matchingPrecedence,
      spec.distinguisherMethod?.type ?? "<none>",
      ageCell(object, now),
      dangling === undefined ? "?" : (dangling.status ?? ""),
    ];
  },
  compare(a, b) {
    const order = a.spec.matchingPrecedence - b.spec.matchingPrecedence;
    if (order !== 0) return order;
    return compareText(a.metadata.name ?? "", b.metadata.name ?? "");
  },
};

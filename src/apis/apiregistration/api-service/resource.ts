import { nameIsAnything } from "../../../apimachinery/validation/object-name.js";
import { formatTime } from "../../../apimachinery/values/time.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { APIService } from "../../gen/apiregistration-v1.js";
import {
  apiServiceNameErrors,
  apiServiceNames,
  validateApiService,
  validateApiServiceStatus,
} from "./validation.js";

export function apiServices(context: ApiContext): ResourceDefinition<APIService> {
  const { naming } = context;
  const main = strategy<APIService>({
    namesOf: apiServiceNames,
    validateName: nameIsAnything,
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate({ now }, object) {
      object.status = {};
      if (object.spec.service !== undefined) return;
      const lastTransitionTime = formatTime(Math.floor(now.getTime() / 1000));
      object.status.conditions = [{ ...localCondition, lastTransitionTime }];
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
    },
    validate: (_context, object) => validateApiService(object, naming),
    validateUpdate: (_context, object) => [
      ...apiServiceNameErrors(object),
      ...validateApiService(object, naming),
    ],
  });
  return defineResource<APIService>({
    group: naming.group("apiregistration"),
    resource: "apiservices",
    kind: "APIService",
    namespaced: false,
    categories: ["api-extensions"],
    versions: [
      hub<APIService>(context, {
        version: "v1",
        type: "apiregistration/v1.APIService",
        setDefaults({ spec }) {
          if (spec.service !== undefined) spec.service.port ??= 443;
        },
      }),
    ],
    storage: { version: "v1", prefix: `/${naming.group("apiregistration")}/apiservices` },
    strategy: main,
    subresources: [
      {
        kind: "part",
        name: "status",
        verbs: partVerbs,
        strategy: strategy<APIService>({
          ...main,
          resetFields: [["metadata"], ["spec"]],
          prepareForUpdate(_context, object, old) {
            object.spec = old.spec;
            const { labels, annotations, finalizers, ownerReferences } = old.metadata;
            Object.assign(object.metadata, { labels, annotations, finalizers, ownerReferences });
          },
          validateUpdate: (_context, object) => validateApiServiceStatus(object.status),
        }),
      },
    ],
    columns,
  });
}

/** Groups that this server serves itself are always available. */
const localCondition = {
  type: "Available",
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
} as const;

const columns: TableColumns<APIService> = {
  columns: [
    nameColumn,
    column("Service", "string", "Service that serves the version, or Local for this server."),
    column("Available", "string", "Whether the service can be reached."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    serviceText(object),
    availableText(object),
    ageCell(object, now),
  ],
};

function serviceText({ spec: { service } }: APIService): string {
  return service === undefined ? "Local" : `${service.namespace ?? ""}/${service.name ?? ""}`;
}

function availableText({ status }: APIService): string {
  const condition = (status.conditions ?? []).find(({ type }) => type === "Available");
  if (condition === undefined) return "Unknown";
  const { reason = "" } = condition;
  return condition.status === "True" || reason === "" ? condition.status : `${condition.status} (${reason})`;
}

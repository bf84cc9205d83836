import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { ResourceQuota } from "../../gen/core-v1.js";
import { roundResourceList } from "../pod-spec/resource-list.js";
import { resourceQuotaColumns } from "./columns.js";
import {
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
} from "./validation.js";
import { resourceQuotaWarnings } from "./warnings.js";

export function resourceQuotas(context: ApiContext): ResourceDefinition<ResourceQuota> {
  const { naming } = context;
  const optionsFor = (old?: ResourceQuota) => ({
    naming,
    level: context.level,
    hasClassScope: isAtLeast(context.level, "1.33"),
    allowCrossNamespaceAffinity:
      context.isEnabled("PodAffinityNamespaceSelector") || (old !== undefined && hasCrossNamespaceScope(old)),
  });
  const main = strategy<ResourceQuota>({
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = {};
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
    },
    ...(isAtLeast(context.level, "1.35") && {
      warningsOnCreate: (_context, object) => resourceQuotaWarnings(object),
    }),
    validate: (_context, object) => validateResourceQuota(object, optionsFor()),
    validateUpdate: (_context, object, old) => validateResourceQuotaUpdate(object, old, optionsFor(old)),
  });
  return defineResource<ResourceQuota>({
    group: "",
    resource: "resourcequotas",
    kind: "ResourceQuota",
    namespaced: true,
    shortNames: ["quota"],
    versions: [
      hub<ResourceQuota>(context, {
        version: "v1",
        type: "core/v1.ResourceQuota",
        setDefaults(object) {
          for (const list of [object.spec.hard, object.status.hard, object.status.used])
            roundResourceList(list);
        },
      }),
    ],
    storage: { version: "v1", prefix: "/resourcequotas" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      statusPart<ResourceQuota>(main, {
        validateUpdate: (_context, object) => validateResourceQuotaStatusUpdate(naming, object),
      }),
    ],
    columns: resourceQuotaColumns,
  });
}

function hasCrossNamespaceScope({ spec }: ResourceQuota): boolean {
  const scopes = [
    ...(spec.scopes ?? []),
    ...(spec.scopeSelector?.matchExpressions ?? []).map(({ scopeName }) => scopeName),
  ];
  return scopes.includes("CrossNamespacePodAffinity");
}

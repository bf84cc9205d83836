import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../../apimachinery/schema/list-kind.js";

/** Namespaces, resource quotas and limit ranges. */
export function declareNamespacesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    LimitRangeItem: {
      fields: {
        type: { number: 1, type: "string", rules: { format: "qualifiedName" }, elementName: "v1.LimitType" },
        max: {
          number: 2,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        min: {
          number: 3,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        default: {
          number: 4,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        defaultRequest: {
          number: 5,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        maxLimitRequestRatio: {
          number: 6,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
      },
    },
    LimitRangeSpec: {
      fields: {
        limits: {
          number: 1,
          type: "core/v1.LimitRangeItem",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    LimitRange: {
      kind: "LimitRange",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.LimitRangeSpec", omitempty: true, optional: true },
      },
    },
    LimitRangeList: listKind("core/v1.LimitRange"),
    ResourceQuotaSpec: {
      fields: {
        hard: {
          number: 1,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        scopes: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          enum: [
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "PriorityClass",
            "CrossNamespacePodAffinity",
            "VolumeAttributesClass",
          ],
          elementName: "v1.ResourceQuotaScope",
          before: {
            "1.33": {
              enum: [
                "Terminating",
                "NotTerminating",
                "BestEffort",
                "NotBestEffort",
                "PriorityClass",
                "CrossNamespacePodAffinity",
              ],
            },
            "1.30": { listType: undefined },
          },
        },
        scopeSelector: {
          number: 3,
          type: "core/v1.ScopeSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ScopeSelector: {
      structType: "atomic",
      fields: {
        matchExpressions: {
          number: 1,
          type: "core/v1.ScopedResourceSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    ScopedResourceSelectorRequirement: {
      fields: {
        scopeName: {
          number: 1,
          type: "string",
          enum: [
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "PriorityClass",
            "CrossNamespacePodAffinity",
            "VolumeAttributesClass",
          ],
          elementName: "v1.ResourceQuotaScope",
          before: {
            "1.33": {
              enum: [
                "Terminating",
                "NotTerminating",
                "BestEffort",
                "NotBestEffort",
                "PriorityClass",
                "CrossNamespacePodAffinity",
              ],
            },
          },
        },
        operator: {
          number: 2,
          type: "string",
          enum: ["In", "NotIn", "Exists", "DoesNotExist"],
          elementName: "v1.ScopeSelectorOperator",
        },
        values: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    ResourceQuotaStatus: {
      fields: {
        hard: {
          number: 1,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        used: {
          number: 2,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
      },
    },
    ResourceQuota: {
      kind: "ResourceQuota",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.ResourceQuotaSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.ResourceQuotaStatus", omitempty: true, optional: true },
      },
    },
    ResourceQuotaList: listKind("core/v1.ResourceQuota"),
    NamespaceSpec: {
      fields: {
        finalizers: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          elementName: "v1.FinalizerName",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NamespaceStatus: {
      fields: {
        phase: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Active", "Terminating"],
          elementName: "v1.NamespacePhase",
        },
        conditions: {
          number: 2,
          type: "core/v1.NamespaceCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
      },
    },
    NamespaceCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.NamespaceConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 4, type: "Time", omitempty: true, optional: true },
        reason: { number: 5, type: "string", omitempty: true, optional: true },
        message: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    Namespace: {
      kind: "Namespace",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.NamespaceSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.NamespaceStatus", omitempty: true, optional: true },
      },
    },
    NamespaceList: listKind("core/v1.Namespace"),
  };
}

import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const flowcontrolV1Types = typePackage("flowcontrol/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    FlowSchema: {
      kind: "FlowSchema",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "flowcontrol/v1.FlowSchemaSpec", omitempty: true, optional: true },
        status: { number: 3, type: "flowcontrol/v1.FlowSchemaStatus", omitempty: true, optional: true },
      },
    },
    FlowSchemaList: listKind("flowcontrol/v1.FlowSchema"),
    FlowSchemaSpec: {
      fields: {
        priorityLevelConfiguration: {
          number: 1,
          type: "flowcontrol/v1.PriorityLevelConfigurationReference",
        },
        matchingPrecedence: {
          number: 2,
          type: "int32",
          optional: true,
          rules: {
            zeroIsAbsent: false,
            min: 1,
            max: 10_000,
            range: { below: "must be a positive value", above: "must not be greater than 10000" },
          },
        },
        distinguisherMethod: {
          number: 3,
          type: "flowcontrol/v1.FlowDistinguisherMethod",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        rules: {
          number: 4,
          type: "flowcontrol/v1.PolicyRulesWithSubjects",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    FlowDistinguisherMethod: {
      fields: {
        type: {
          number: 1,
          type: "string",
          elementName: "v1.FlowDistinguisherMethodType",
          rules: { supported: ["ByNamespace", "ByUser"] },
        },
      },
    },
    PriorityLevelConfigurationReference: {
      fields: {
        name: {
          number: 1,
          type: "string",
          rules: { required: "must reference a priority level", format: "dnsSubdomain" },
        },
      },
    },
    PolicyRulesWithSubjects: {
      fields: {
        subjects: {
          number: 1,
          type: "flowcontrol/v1.Subject",
          list: true,
          listType: "atomic",
          rules: { required: "subjects must contain at least one value" },
        },
        resourceRules: {
          number: 2,
          type: "flowcontrol/v1.ResourcePolicyRule",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        nonResourceRules: {
          number: 3,
          type: "flowcontrol/v1.NonResourcePolicyRule",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    Subject: {
      union: true,
      fields: {
        kind: {
          number: 1,
          type: "string",
          unionDiscriminator: true,
          elementName: "v1.SubjectKind",
          rules: { supported: ["Group", "ServiceAccount", "User"] },
        },
        user: {
          number: 2,
          type: "flowcontrol/v1.UserSubject",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        group: {
          number: 3,
          type: "flowcontrol/v1.GroupSubject",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        serviceAccount: {
          number: 4,
          type: "flowcontrol/v1.ServiceAccountSubject",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    UserSubject: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true } },
      },
    },
    GroupSubject: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true } },
      },
    },
    ServiceAccountSubject: {
      fields: {
        namespace: {
          number: 1,
          type: "string",
          rules: { format: "dnsLabel", required: "must specify namespace for service account" },
        },
        name: { number: 2, type: "string", rules: { required: true } },
      },
    },
    ResourcePolicyRule: {
      fields: {
        verbs: {
          number: 1,
          type: "string",
          list: true,
          listType: "set",
          rules: { required: "verbs must contain at least one value" },
        },
        apiGroups: {
          number: 2,
          type: "string",
          list: true,
          listType: "set",
          rules: {
            loneWildcard: "api groups",
            required: "resource rules must supply at least one api group",
          },
        },
        resources: {
          number: 3,
          type: "string",
          list: true,
          listType: "set",
          rules: { loneWildcard: "resources", required: "resource rules must supply at least one resource" },
        },
        clusterScope: { number: 4, type: "bool", omitempty: true, optional: true },
        namespaces: { number: 5, type: "string", list: true, optional: true, listType: "set" },
      },
    },
    NonResourcePolicyRule: {
      fields: {
        verbs: { number: 1, type: "string", list: true, listType: "set" },
        nonResourceURLs: {
          number: 6,
          type: "string",
          list: true,
          listType: "set",
          rules: { required: "nonResourceURLs must contain at least one value" },
        },
      },
    },
    FlowSchemaStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "flowcontrol/v1.FlowSchemaCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    FlowSchemaCondition: {
      fields: {
        type: {
          number: 1,
          type: "string",
          omitempty: true,
          rules: { required: { until: "1.34", detail: "must not be empty" } },
          elementName: "v1.FlowSchemaConditionType",
        },
        status: { number: 2, type: "string", omitempty: true, elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true },
        reason: { number: 4, type: "string", omitempty: true },
        message: { number: 5, type: "string", omitempty: true },
      },
    },
    PriorityLevelConfiguration: {
      kind: "PriorityLevelConfiguration",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "flowcontrol/v1.PriorityLevelConfigurationSpec",
          omitempty: true,
          optional: true,
        },
        status: {
          number: 3,
          type: "flowcontrol/v1.PriorityLevelConfigurationStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    PriorityLevelConfigurationList: listKind("flowcontrol/v1.PriorityLevelConfiguration"),
    PriorityLevelConfigurationSpec: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          unionDiscriminator: true,
          elementName: "v1.PriorityLevelEnablement",
          rules: { supported: ["Exempt", "Limited"] },
        },
        limited: {
          number: 2,
          type: "flowcontrol/v1.LimitedPriorityLevelConfiguration",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        exempt: {
          number: 3,
          type: "flowcontrol/v1.ExemptPriorityLevelConfiguration",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    LimitedPriorityLevelConfiguration: {
      fields: {
        nominalConcurrencyShares: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        limitResponse: { number: 2, type: "flowcontrol/v1.LimitResponse", omitempty: true },
        lendablePercent: {
          number: 3,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0, max: 100 },
        },
        borrowingLimitPercent: {
          number: 4,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0, range: "if specified, must be a non-negative integer" },
        },
      },
    },
    ExemptPriorityLevelConfiguration: {
      fields: {
        nominalConcurrencyShares: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0, range: "must be a non-negative integer" },
        },
        lendablePercent: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0, max: 100 },
        },
      },
    },
    LimitResponse: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          unionDiscriminator: true,
          elementName: "v1.LimitResponseType",
          rules: { supported: ["Queue", "Reject"] },
        },
        queuing: {
          number: 2,
          type: "flowcontrol/v1.QueuingConfiguration",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    QueuingConfiguration: {
      fields: {
        queues: {
          number: 1,
          type: "int32",
          optional: true,
          rules: {
            zeroIsAbsent: false,
            min: 1,
            max: 10_000_000,
            range: { below: "must be positive", above: "must not be greater than 10000000" },
          },
        },
        handSize: { number: 2, type: "int32", optional: true },
        queueLengthLimit: {
          number: 3,
          type: "int32",
          optional: true,
          rules: { zeroIsAbsent: false, min: 1, range: "must be positive" },
        },
      },
    },
    PriorityLevelConfigurationStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "flowcontrol/v1.PriorityLevelConfigurationCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    PriorityLevelConfigurationCondition: {
      fields: {
        type: {
          number: 1,
          type: "string",
          omitempty: true,
          elementName: "v1.PriorityLevelConfigurationConditionType",
        },
        status: { number: 2, type: "string", omitempty: true, elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true },
        reason: { number: 4, type: "string", omitempty: true },
        message: { number: 5, type: "string", omitempty: true },
      },
    },
  };
}

import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const flowcontrolV1beta2Types: TypePackage = { name: "flowcontrol/v1beta2", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    FlowSchema: {
      kind: "FlowSchema",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "flowcontrol/v1beta2.FlowSchemaSpec", omitempty: true, optional: true },
        status: { number: 3, type: "flowcontrol/v1beta2.FlowSchemaStatus", omitempty: true, optional: true },
      },
    },
    FlowSchemaList: listKind("flowcontrol/v1beta2.FlowSchema"),
    FlowSchemaSpec: {
      fields: {
        priorityLevelConfiguration: {
          number: 1,
          type: "flowcontrol/v1beta2.PriorityLevelConfigurationReference",
        },
        matchingPrecedence: { number: 2, type: "int32", optional: true },
        distinguisherMethod: {
          number: 3,
          type: "flowcontrol/v1beta2.FlowDistinguisherMethod",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        rules: {
          number: 4,
          type: "flowcontrol/v1beta2.PolicyRulesWithSubjects",
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
          elementName: "v1beta2.FlowDistinguisherMethodType",
          rules: { supported: ["ByNamespace", "ByUser"] },
        },
      },
    },
    PriorityLevelConfigurationReference: {
      fields: {
        name: { number: 1, type: "string" },
      },
    },
    PolicyRulesWithSubjects: {
      fields: {
        subjects: {
          number: 1,
          type: "flowcontrol/v1beta2.Subject",
          list: true,
          listType: "atomic",
          rules: { required: "subjects must contain at least one value" },
        },
        resourceRules: {
          number: 2,
          type: "flowcontrol/v1beta2.ResourcePolicyRule",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        nonResourceRules: {
          number: 3,
          type: "flowcontrol/v1beta2.NonResourcePolicyRule",
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
          elementName: "v1beta2.SubjectKind",
          rules: { supported: ["Group", "ServiceAccount", "User"] },
        },
        user: {
          number: 2,
          type: "flowcontrol/v1beta2.UserSubject",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        group: {
          number: 3,
          type: "flowcontrol/v1beta2.GroupSubject",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        serviceAccount: {
          number: 4,
          type: "flowcontrol/v1beta2.ServiceAccountSubject",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    UserSubject: {
      fields: {
        name: { number: 1, type: "string" },
      },
    },
    GroupSubject: {
      fields: {
        name: { number: 1, type: "string" },
      },
    },
    ServiceAccountSubject: {
      fields: {
        namespace: { number: 1, type: "string" },
        name: { number: 2, type: "string" },
      },
    },
    ResourcePolicyRule: {
      fields: {
        verbs: { number: 1, type: "string", list: true, listType: "set" },
        apiGroups: { number: 2, type: "string", list: true, listType: "set" },
        resources: { number: 3, type: "string", list: true, listType: "set" },
        clusterScope: { number: 4, type: "bool", omitempty: true, optional: true },
        namespaces: { number: 5, type: "string", list: true, optional: true, listType: "set" },
      },
    },
    NonResourcePolicyRule: {
      fields: {
        verbs: { number: 1, type: "string", list: true, listType: "set" },
        nonResourceURLs: { number: 6, type: "string", list: true, listType: "set" },
      },
    },
    FlowSchemaStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "flowcontrol/v1beta2.FlowSchemaCondition",
          list: true,
          omitempty: true,
          optional: true,
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    FlowSchemaCondition: {
      fields: {
        type: { number: 1, type: "string", omitempty: true, elementName: "v1beta2.FlowSchemaConditionType" },
        status: { number: 2, type: "string", omitempty: true, elementName: "v1beta2.ConditionStatus" },
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
          type: "flowcontrol/v1beta2.PriorityLevelConfigurationSpec",
          omitempty: true,
          optional: true,
        },
        status: {
          number: 3,
          type: "flowcontrol/v1beta2.PriorityLevelConfigurationStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    PriorityLevelConfigurationList: listKind("flowcontrol/v1beta2.PriorityLevelConfiguration"),
    PriorityLevelConfigurationSpec: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          unionDiscriminator: true,
          elementName: "v1beta2.PriorityLevelEnablement",
          rules: { supported: ["Exempt", "Limited"] },
        },
        limited: {
          number: 2,
          type: "flowcontrol/v1beta2.LimitedPriorityLevelConfiguration",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    LimitedPriorityLevelConfiguration: {
      fields: {
        assuredConcurrencyShares: { number: 1, type: "int32", optional: true },
        limitResponse: { number: 2, type: "flowcontrol/v1beta2.LimitResponse", omitempty: true },
      },
    },
    LimitResponse: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          unionDiscriminator: true,
          elementName: "v1beta2.LimitResponseType",
          rules: { supported: ["Queue", "Reject"] },
        },
        queuing: {
          number: 2,
          type: "flowcontrol/v1beta2.QueuingConfiguration",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    QueuingConfiguration: {
      fields: {
        queues: { number: 1, type: "int32", optional: true },
        handSize: { number: 2, type: "int32", optional: true },
        queueLengthLimit: { number: 3, type: "int32", optional: true },
      },
    },
    PriorityLevelConfigurationStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "flowcontrol/v1beta2.PriorityLevelConfigurationCondition",
          list: true,
          omitempty: true,
          optional: true,
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
          elementName: "v1beta2.PriorityLevelConfigurationConditionType",
        },
        status: { number: 2, type: "string", omitempty: true, elementName: "v1beta2.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true },
        reason: { number: 4, type: "string", omitempty: true },
        message: { number: 5, type: "string", omitempty: true },
      },
    },
  };
}

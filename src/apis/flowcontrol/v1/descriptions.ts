import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const flowcontrolV1Descriptions: TypeDescriptions = {
  FlowSchema: {
    about: "Sorts requests to this API into priority levels.",
    fields: {
      spec: "Which requests it is about, and where they go.",
      status: "Whether its priority level exists.",
    },
  },
  FlowSchemaSpec: {
    about: "Which requests a flow schema is about, and where they go.",
    fields: {
      distinguisherMethod:
        "By what the requests are divided into flows that share fairly. Unset: they are one flow.",
      matchingPrecedence:
        "Which of several matching flow schemas counts: the lowest number from 1 to 10000. Default: 1000.",
      priorityLevelConfiguration:
        "The priority level of the requests; it must exist for the schema to have effect.",
      rules: "The requests; one of the rules must match. Empty: none.",
    },
  },
  FlowSchemaStatus: {
    fields: { conditions: "Whether the priority level is missing, as Dangling." },
  },
  FlowSchemaCondition: {
    fields: { ...conditionFields, type: "Dangling: the priority level does not exist." },
  },
  FlowDistinguisherMethod: {
    about: "By what the requests of a flow schema are told apart.",
    fields: { type: "ByUser makes a flow of each user's requests, ByNamespace of those in each namespace." },
  },
  PriorityLevelConfigurationReference: {
    about: "Names a priority level.",
    fields: { name: "Name of the priority level configuration." },
  },
  PolicyRulesWithSubjects: {
    about: "Requests of some users that a flow schema is about.",
    fields: {
      nonResourceRules: "Requests to other paths; one of these or of resourceRules must match.",
      resourceRules: "Requests for resources; one of these or of nonResourceRules must match.",
      subjects: "Who makes the requests; at least one, and one of them must match.",
    },
  },
  Subject: {
    about: "A user, group or service account; kind says which member is set.",
    fields: {
      group: "The group, for the kind Group.",
      kind: "User, Group or ServiceAccount.",
      serviceAccount: "The service account, for the kind ServiceAccount.",
      user: "The user, for the kind User.",
    },
  },
  UserSubject: {
    about: "A user that a flow schema is about.",
    fields: { name: "Name of the user; '*' is everybody." },
  },
  GroupSubject: {
    about: "A group of users that a flow schema is about.",
    fields: { name: "Name of the group, such as system:authenticated; '*' is every group." },
  },
  ServiceAccountSubject: {
    about: "A service account that a flow schema is about.",
    fields: {
      name: "Name of the service account; '*' is all of the namespace.",
      namespace: "Namespace of the service account.",
    },
  },
  ResourcePolicyRule: {
    about: "Requests for resources that a flow schema is about.",
    fields: {
      apiGroups: "Groups of the resources; '' is core, '*' alone is all.",
      clusterScope: "Whether requests without a namespace count. Default: false.",
      namespaces: "Namespaces of the requests; '*' alone is all. Empty is allowed with clusterScope only.",
      resources: "Resources, as in pods, or subresources, as in pods/status; '*' alone is all.",
      verbs: "What is done, such as get, list, watch or create; '*' alone is everything.",
    },
  },
  NonResourcePolicyRule: {
    about: "Requests to paths that are no resources, which a flow schema is about.",
    fields: {
      nonResourceURLs: "Paths such as /healthz; '/*' at the end is anything below, '*' alone is all.",
      verbs: "Methods in lower case, such as get; '*' alone is all.",
    },
  },
  PriorityLevelConfiguration: {
    about: "How much of this server a class of requests may use.",
    fields: {
      spec: "To how many requests at a time the level is limited, and what happens to more.",
      status: "Nothing is reported at present.",
    },
  },
  PriorityLevelConfigurationSpec: {
    about: "Whether, and to how many requests at a time, a priority level is limited.",
    fields: {
      exempt: "What an exempt level lends to others; forbidden for the type Limited.",
      limited: "The limits; required for the type Limited, forbidden for Exempt.",
      type: "Limited, or Exempt for requests that never wait; only the level named exempt is that.",
    },
  },
  LimitedPriorityLevelConfiguration: {
    about: "How many requests of a priority level run at a time.",
    fields: {
      borrowingLimitPercent:
        "How many seats of other levels this one may use, in percent of its own nominal seats. Unset: as many as others lend.",
      lendablePercent:
        "The part of the nominal seats that other levels may use while this one does not need them, 0 to 100. Default: 0.",
      limitResponse: "What happens to requests beyond the limit.",
      nominalConcurrencyShares:
        "The level's part of the requests that may run at a time, relative to other levels' shares. 0: requests run in borrowed seats only. Default: 30.",
    },
  },
  ExemptPriorityLevelConfiguration: {
    about: "The seats set aside for requests that never wait, and what other levels may use of them.",
    fields: {
      lendablePercent:
        "The part of the nominal seats that other levels may use while exempt requests do not need them, 0 to 100. Default: 0.",
      nominalConcurrencyShares:
        "The part of all seats that is set aside, relative to other levels' shares; exempt requests are not limited to it. Default: 0.",
    },
  },
  LimitResponse: {
    about: "What happens to requests beyond the limit.",
    fields: {
      queuing: "How requests wait; required for the type Queue, forbidden for Reject.",
      type: "Queue lets requests wait; Reject answers 429 Too Many Requests at once.",
    },
  },
  QueuingConfiguration: {
    about: "How requests beyond the limit wait, kept apart by flow.",
    fields: {
      handSize:
        "How many queues a flow is dealt, the shortest of which each request joins; at most queues. Default: 8.",
      queueLengthLimit: "How many requests may wait in a queue; others are rejected. Positive; default: 50.",
      queues: "How many queues there are, 1 to 10000000; more keep flows further apart. Default: 64.",
    },
  },
  PriorityLevelConfigurationStatus: {
    fields: { conditions: "Aspects of the present state; none is reported at present." },
  },
  PriorityLevelConfigurationCondition: {
    fields: { ...conditionFields, type: "Name of the condition; none is reported at present." },
  },
};

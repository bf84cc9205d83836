import type { TypeDescriptions } from "./type-descriptions.js";

export const flowcontrolTypes: TypeDescriptions = {
  FlowSchema: {
    about: "Sorts requests to this API into priority levels.",
  },
  FlowDistinguisherMethod: {
    about: "By what the requests of a flow schema are told apart.",
  },
  PriorityLevelConfigurationReference: {
    about: "Names a priority level.",
  },
  PolicyRulesWithSubjects: {
    about: "Requests of some users that a flow schema is about.",
  },
  Subject: {
    about: "A user, group or service account.",
    fields: {
      kind: "User, Group or ServiceAccount.",
    },
  },
  UserSubject: {
    about: "A user that a flow schema is about.",
  },
  GroupSubject: {
    about: "A group of users that a flow schema is about.",
  },
  ServiceAccountSubject: {
    about: "A service account that a flow schema is about.",
  },
  ResourcePolicyRule: {
    about: "Requests about resources.",
  },
  NonResourcePolicyRule: {
    about: "Requests to paths that are no resources.",
  },
  PriorityLevelConfiguration: {
    about: "How much of this server a class of requests may use.",
  },
  LimitedPriorityLevelConfiguration: {
    about: "How many requests of a priority level run at a time.",
  },
  LimitResponse: {
    about: "What happens to requests beyond the limit.",
  },
  QueuingConfiguration: {
    about: "How requests wait.",
  },
};

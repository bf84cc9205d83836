import type { TypeDescriptions } from "./type-descriptions.js";

export const rbacTypes: TypeDescriptions = {
  PolicyRule: {
    about: "Things that may be done with resources or at paths.",
    fields: {
      apiGroups: "Groups of the resources; '*' is all, '' is core.",
      nonResourceURLs: "Paths that are no resources; '*' at the end stands for the rest.",
      resourceNames: "Names of objects. Empty: all.",
      resources: "Resources; '*' is all.",
      verbs: "What may be done; '*' is everything.",
    },
  },
  Subject: {
    about: "A user, group or service account.",
    fields: {
      apiGroup: "Group of the subject.",
      kind: "User, Group or ServiceAccount.",
      name: "Name of the subject.",
      namespace: "Namespace of a service account.",
    },
  },
  RoleRef: {
    about: "Names the role that is granted.",
    fields: {
      apiGroup: "Group of the role.",
      kind: "Role or ClusterRole.",
      name: "Name of the role.",
    },
  },
  Role: {
    about: "A set of permissions in a namespace.",
    fields: {
      rules: "What may be done.",
    },
  },
  RoleBinding: {
    about: "Grants a role to users, groups and service accounts in a namespace.",
    fields: {
      roleRef: "The role that is granted. Cannot be changed.",
      subjects: "Who gets it.",
    },
  },
  ClusterRole: {
    about: "A set of permissions for the whole cluster, or to be bound in any namespace.",
    fields: {
      aggregationRule: "Picks the roles whose rules this one gathers.",
      rules: "What may be done.",
    },
  },
  AggregationRule: {
    about: "Picks the roles whose rules this role gathers.",
  },
  ClusterRoleBinding: {
    about: "Grants a cluster role to users, groups and service accounts in the whole cluster.",
    fields: {
      roleRef: "The role that is granted. Cannot be changed.",
      subjects: "Who gets it.",
    },
  },
};

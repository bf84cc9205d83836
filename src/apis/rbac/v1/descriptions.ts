import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const subjects = "Who gets the role's permissions.";
const rules = "What may be done; each rule adds to the others, none takes away.";

export const rbacV1Descriptions: TypeDescriptions = {
  PolicyRule: {
    about: "Things that may be done with resources or at paths.",
    fields: {
      apiGroups: "Groups of the resources; '' is core, '*' is all. Required unless nonResourceURLs is given.",
      nonResourceURLs:
        "Paths that are no resources, such as /healthz; '*' at the end is any rest. In cluster roles only, without resources.",
      resourceNames: "Names of the objects. Empty: all. Cannot restrict create and deletecollection.",
      resources: "Resources, as in pods, or subresources, as in pods/log; '*' is all.",
      verbs:
        "What may be done, such as get, list, watch, create, update, patch or delete; '*' is everything.",
    },
  },
  Subject: {
    about: "A user, group or service account.",
    fields: {
      apiGroup: "Group of the kind. Default: that of roles for users and groups, '' for service accounts.",
      kind: "User, Group or ServiceAccount.",
      name: "Name of the user, group or service account.",
      namespace: "Namespace of a service account; not for users and groups.",
    },
  },
  RoleRef: {
    about: "Names the role that is granted.",
    fields: {
      apiGroup: "Group of the role: that of the binding, which is also the default.",
      kind: "ClusterRole, or in a role binding also Role.",
      name: "Name of the role; it need not exist yet.",
    },
  },
  Role: {
    about: "A set of permissions in a namespace.",
    fields: {
      rules,
    },
  },
  RoleBinding: {
    about: "Grants a role to users, groups and service accounts in a namespace.",
    fields: {
      roleRef: "A role of the same namespace, or a cluster role, for this namespace only. Cannot be changed.",
      subjects,
    },
  },
  ClusterRole: {
    about: "A set of permissions for the whole cluster, or to be bound in any namespace.",
    fields: {
      aggregationRule: "Picks cluster roles whose rules replace this one's, and are kept up to date.",
      rules,
    },
  },
  AggregationRule: {
    about: "Picks the roles whose rules this role gathers.",
    fields: {
      clusterRoleSelectors:
        "Labels of the cluster roles, at least one selector; a role that one of them matches counts.",
    },
  },
  ClusterRoleBinding: {
    about: "Grants a cluster role to users, groups and service accounts in the whole cluster.",
    fields: {
      roleRef: "The cluster role that is granted, in all namespaces. Cannot be changed.",
      subjects,
    },
  },
};

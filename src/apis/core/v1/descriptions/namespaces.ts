import { conditionFields } from "../../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const namespaceDescriptions: TypeDescriptions = {
  Namespace: {
    about: "A space for names: objects in different namespaces do not get in each other's way.",
    fields: {
      spec: "Finalizers of the namespace. The server fills them in.",
      status: "Phase of the namespace. Written by the server.",
    },
  },
  NamespaceSpec: {
    about: "What must happen before a namespace goes.",
    fields: {
      finalizers:
        "Names of those who must be done before the namespace goes. Changed only through the finalize subresource.",
    },
  },
  NamespaceStatus: {
    about: "Whether a namespace is in use or being deleted.",
    fields: {
      conditions: "What a deletion still waits for or has failed at.",
      phase: "Active, or Terminating, when objects are being deleted and none can be created.",
    },
  },
  NamespaceCondition: {
    fields: {
      ...conditionFields,
      type: "What deletion meets: NamespaceContentRemaining, NamespaceFinalizersRemaining, or a failure, such as NamespaceDeletionDiscoveryFailure.",
    },
  },
  ResourceQuota: {
    about: "How much a namespace may use altogether.",
    fields: {
      spec: "Limits, and the objects that they count.",
      status: "Limits in force, and how much is used.",
    },
  },
  ResourceQuotaSpec: {
    about: "Limits for a namespace as a whole.",
    fields: {
      hard: "Limit of each resource, such as pods, requests.cpu, limits.memory or count/configmaps.",
      scopeSelector: "Counts only objects that match these conditions on scopes too. Default: all.",
      scopes:
        "Counts only objects in all of these scopes: Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity. Cannot be changed.",
    },
  },
  ResourceQuotaStatus: {
    about: "How much of a quota is used.",
    fields: {
      hard: "Limits that are in force.",
      used: "How much of each resource the namespace uses at present.",
    },
  },
  ScopeSelector: {
    about: "Selects objects by their scopes.",
    fields: { matchExpressions: "Conditions on scopes, all of which must hold." },
  },
  ScopedResourceSelectorRequirement: {
    about: "A condition on a scope.",
    fields: {
      operator: "In or NotIn the values, Exists or DoesNotExist. All scopes but PriorityClass need Exists.",
      scopeName:
        "Scope that is asked for: Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass or CrossNamespacePodAffinity.",
      values: "At least one for In and NotIn, such as names of priority classes; none for the others.",
    },
  },
  LimitRange: {
    about: "Default, least and greatest amounts of resources for each object of a namespace.",
    fields: { spec: "Limits that new objects in the namespace must keep." },
  },
  LimitRangeSpec: {
    about: "Limits for each object of a namespace.",
    fields: { limits: "Limits by the type of object." },
  },
  LimitRangeItem: {
    about: "Limits for one type of object.",
    fields: {
      default: "Limits that a container gets when it has none. Only for Container.",
      defaultRequest: "Requests that a container gets when it has none. Only for Container.",
      max: "Greatest amount of each resource.",
      maxLimitRequestRatio: "By how many times the limit may exceed the request. At least 1.",
      min: "Least amount of each resource.",
      type: "What the limits are for: Container, Pod (its containers together) or PersistentVolumeClaim.",
    },
  },
};

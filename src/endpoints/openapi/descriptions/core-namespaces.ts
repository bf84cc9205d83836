import type { TypeDescriptions } from "./type-descriptions.js";

export const namespaceTypes: TypeDescriptions = {
  Namespace: {
    about: "A space for names: objects in different ones do not get in each other's way.",
  },
  NamespaceSpec: {
    fields: {
      finalizers: "Who must be done before the namespace goes.",
    },
  },
  NamespaceStatus: {
    fields: {
      phase: "Active or Terminating.",
    },
  },
  ResourceQuota: {
    about: "How much a namespace may use altogether.",
  },
  ScopeSelector: {
    about: "Selects pods by their scopes.",
  },
  ScopedResourceSelectorRequirement: {
    about: "A condition on a scope.",
  },
  LimitRange: {
    about: "Default, least and greatest amounts of resources in a namespace.",
  },
  LimitRangeItem: {
    about: "Limits for one kind of object.",
  },
};

import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const group = {
  schedulingPolicy: "How the pods of the group are scheduled.",
  schedulingConstraints: "Where the pods of the group may be, with respect to each other.",
  resourceClaims: "Claims of devices that the pods of the group share.",
  disruptionMode: "Whether pods are preempted one by one, or the group as a whole: Pod or PodGroup.",
  priorityClassName: "Name of the priority class of the group.",
  priority: "Priority of the group, as its class says.",
};

export const schedulingV1alpha2Descriptions: TypeDescriptions = {
  BasicSchedulingPolicy: {
    about: "Pods are scheduled one by one.",
  },
  GangSchedulingPolicy: {
    about: "Pods are scheduled only if enough of them can be.",
    fields: {
      minCount: "How many pods have to be scheduled together.",
    },
  },
  PodGroup: {
    about: "Pods that are scheduled together.",
    fields: {
      name: "Name of the group, unique in the workload.",
      policy: "How the pods of the group are scheduled.",
      spec: "How the pods of the group are scheduled.",
      status: "What is known of the group.",
    },
  },
  PodGroupPolicy: {
    about: "How pods of a group are scheduled; one way is set.",
    fields: {
      basic: "One by one.",
      gang: "All together.",
    },
  },
  PodGroupSchedulingPolicy: {
    about: "How pods of a group are scheduled; one way is set.",
    fields: {
      basic: "One by one.",
      gang: "All together.",
    },
  },
  PodGroupResourceClaim: {
    about: "A claim of devices for a group.",
    fields: {
      name: "Name of the entry as a DNS label, unique in the group.",
      resourceClaimName:
        "Name of a claim in the same namespace. Either this or resourceClaimTemplateName is set.",
      resourceClaimTemplateName: "Name of a template, of which a claim is made for the group.",
    },
  },
  PodGroupResourceClaimStatus: {
    fields: {
      name: "Name of the entry in spec.resourceClaims.",
      resourceClaimName: "Name of the claim that was made; unset if none was needed.",
    },
  },
  PodGroupSchedulingConstraints: {
    about: "Where pods of a group may be.",
    fields: {
      topology: "Domains that the pods have to be in together.",
    },
  },
  PodGroupSpec: {
    fields: {
      podGroupTemplateRef: "The template that the group was made of. Cannot be changed.",
      ...group,
    },
  },
  PodGroupStatus: {
    fields: {
      conditions: "What is known of the group, such as whether it is scheduled.",
      resourceClaimStatuses: "The claims that were made from templates for this group.",
    },
  },
  PodGroupTemplate: {
    about: "What groups of pods are made of.",
    fields: {
      name: "Name of the template as a DNS label, unique in the workload.",
      ...group,
    },
  },
  PodGroupTemplateReference: {
    about: "The template of a group.",
    fields: {
      workload: "A template of a workload.",
    },
  },
  TopologyConstraint: {
    about: "Keeps pods in one domain.",
    fields: {
      key: "Label of nodes whose values are the domains.",
    },
  },
  TypedLocalObjectReference: {
    about: "Names an object of the same namespace.",
    fields: {
      apiGroup: "Group of the kind; empty for the core.",
      kind: "Kind of the object.",
      name: "Name of the object.",
    },
  },
  Workload: {
    about: "What belongs together to the scheduler.",
    fields: {
      spec: "The groups of pods.",
    },
  },
  WorkloadPodGroupTemplateReference: {
    about: "A template of a workload.",
    fields: {
      workloadName: "Name of the workload in the same namespace.",
      podGroupTemplateName: "Name of the template in it.",
    },
  },
  WorkloadSpec: {
    fields: {
      controllerRef: "The object that the workload belongs to, such as a job.",
      podGroups: "The groups of pods, at most 8. Cannot be changed.",
      podGroupTemplates: "The templates of groups, at most 8. Cannot be changed.",
    },
  },
};

import type { TypeDescriptions } from "./type-descriptions.js";

export const placementTypes: TypeDescriptions = {
  Affinity: {
    about: "Where a pod wants to run, and near which other pods.",
  },
  NodeAffinity: {
    about: "Which nodes a pod must or would like to run on.",
  },
  NodeSelector: {
    about: "Selects nodes; one of the terms must match.",
  },
  NodeSelectorTerm: {
    about: "Conditions on a node, all of which must hold.",
  },
  NodeSelectorRequirement: {
    about: "A condition on a label or field of a node.",
  },
  PreferredSchedulingTerm: {
    about: "A wish for nodes and its weight.",
  },
  PodAffinity: {
    about: "Which pods a pod must or would like to be near.",
  },
  PodAntiAffinity: {
    about: "Which pods a pod must or would like to be away from.",
  },
  PodAffinityTerm: {
    about: "Pods, and what counts as being near them.",
  },
  WeightedPodAffinityTerm: {
    about: "A wish about other pods and its weight.",
  },
  Taint: {
    about: "Keeps pods off a node that do not tolerate it.",
    fields: {
      effect: "NoSchedule, PreferNoSchedule or NoExecute.",
      key: "Name of the taint.",
      timeAdded: "When it was added.",
      value: "Value of the taint.",
    },
  },
  Toleration: {
    about: "Lets a pod run in spite of taints.",
    fields: {
      effect: "NoSchedule, PreferNoSchedule or NoExecute. Empty: any.",
      key: "The taint. Empty: any, with the operator Exists.",
      operator: "Exists or Equal. Default: Equal.",
      tolerationSeconds: "Seconds for which NoExecute is put up with. Default: for ever.",
      value: "The taint's value, for Equal.",
    },
  },
  TopologySpreadConstraint: {
    about: "How evenly pods spread over zones, nodes and the like.",
  },
  TopologySelectorTerm: {
    about: "Conditions on where volumes may be made.",
  },
  TopologySelectorLabelRequirement: {
    about: "A label and the values it may have.",
  },
};

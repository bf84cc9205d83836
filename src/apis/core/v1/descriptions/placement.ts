import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const weight = "How much meeting this counts against other wishes, from 1 to 100.";

export const placementDescriptions: TypeDescriptions = {
  Affinity: {
    about: "Which nodes a pod wants to run on, and near which other pods.",
    fields: {
      nodeAffinity: "Rules about nodes, by their labels.",
      podAffinity: "Rules about pods to be placed near to.",
      podAntiAffinity: "Rules about pods to be kept away from.",
    },
  },
  NodeAffinity: {
    about: "Which nodes a pod must or would like to run on. Later changes of labels do not move it.",
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution:
        "Wishes: among the nodes that qualify, those come first that meet wishes of more weight together.",
      requiredDuringSchedulingIgnoredDuringExecution:
        "Nodes that qualify. Without one the pod is not scheduled.",
    },
  },
  NodeSelector: {
    about: "Selects nodes.",
    fields: {
      nodeSelectorTerms: "Alternatives: a node is selected when it matches one of them. At least one.",
    },
  },
  NodeSelectorTerm: {
    about: "Conditions on a node, all of which must hold. A term without any matches no node.",
    fields: {
      matchExpressions: "Conditions on the node's labels.",
      matchFields: "Conditions on the node's fields. Only metadata.name, with one value, can be asked for.",
    },
  },
  NodeSelectorRequirement: {
    about: "A condition on a label or field of a node.",
    fields: {
      key: "Name of the label, or of the field.",
      operator: "How the values are compared: In, NotIn, Exists, DoesNotExist, Gt or Lt.",
      values:
        "At least one for In and NotIn, none for Exists and DoesNotExist, one whole number for Gt and Lt.",
    },
  },
  PreferredSchedulingTerm: {
    about: "A wish for nodes and its weight.",
    fields: { preference: "Nodes that meet the wish; an empty term is met by every node.", weight },
  },
  PodAffinity: {
    about: "Which pods a pod must or would like to be near.",
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution:
        "Wishes: nodes near matching pods are preferred by the sum of the weights.",
      requiredDuringSchedulingIgnoredDuringExecution:
        "Terms that must all be met; else the pod is not scheduled. Later changes do not evict it.",
    },
  },
  PodAntiAffinity: {
    about: "Which pods a pod must or would like to be away from.",
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution:
        "Wishes: nodes near matching pods are avoided by the sum of the weights.",
      requiredDuringSchedulingIgnoredDuringExecution:
        "Terms of which none may match; else the pod is not scheduled. Later changes do not evict it.",
    },
  },
  WeightedPodAffinityTerm: {
    about: "A wish about other pods and its weight.",
    fields: { podAffinityTerm: "The pods that the wish is about, and how near is near.", weight },
  },
  PodAffinityTerm: {
    about: "Other pods, and what counts as being near them.",
    fields: {
      labelSelector: "Labels of the pods. Without it, no pods match.",
      namespaceSelector:
        "Labels of the namespaces that the pods are in, added to namespaces; an empty selector is all of them.",
      namespaces:
        "Names of the namespaces that the pods are in. Default: the pod's own, if there is no namespaceSelector either.",
      topologyKey:
        "Label of nodes: nodes with the same value of it are near to each other. Must not be empty.",
      matchLabelKeys:
        "Keys of labels whose values in the new pod the other pods have to have, besides what the selector says.",
      mismatchLabelKeys:
        "Keys of labels whose values in the new pod the other pods must not have, besides what the selector says.",
    },
  },
  TopologySpreadConstraint: {
    about: "How evenly pods are spread over zones, nodes and the like.",
    fields: {
      labelSelector: "Labels of the pods that are counted, in the pod's own namespace.",
      maxSkew: "By how many pods a domain may have more than the one with the fewest. At least 1.",
      topologyKey: "Label of nodes: nodes with the same value of it form a domain.",
      whenUnsatisfiable:
        "What happens when maxSkew would be exceeded: DoNotSchedule, or ScheduleAnyway, which only prefers better nodes.",
      minDomains: "With fewer domains than this, the least number of matching pods counts as 0. Default: 1.",
      nodeAffinityPolicy:
        "Honor counts only nodes that the pod's affinity and node selector allow, Ignore all of them. Default: Honor.",
      nodeTaintsPolicy:
        "Honor counts only nodes whose taints the pod tolerates, Ignore all of them. Default: Ignore.",
      matchLabelKeys:
        "Keys of labels whose values in the new pod select the pods that are counted, besides the selector.",
    },
  },
  Taint: {
    about: "Keeps pods off a node that do not tolerate it.",
    fields: {
      effect:
        "NoSchedule admits no new pods, PreferNoSchedule avoids them, NoExecute evicts running ones too.",
      key: "Name of the taint, in the form of a label key.",
      timeAdded: "When the taint was added. Set only for NoExecute.",
      value: "Value of the taint, in the form of a label value.",
    },
  },
  Toleration: {
    about: "Lets a pod run on a node in spite of its taints.",
    fields: {
      effect: "Effect that is tolerated: NoSchedule, PreferNoSchedule or NoExecute. Empty: all of them.",
      key: "Taint that is tolerated. Empty, which needs the operator Exists: every taint.",
      operator: "Equal compares the value too, Exists only the key. Default: Equal.",
      tolerationSeconds:
        "Seconds until the taint evicts the pod after all, only for NoExecute; 0 and less are at once. Default: never.",
      value: "Value that the taint must have for Equal; must be empty for Exists.",
    },
  },
  TopologySelectorTerm: {
    about: "Conditions on where volumes may be made, all of which must hold.",
    fields: { matchLabelExpressions: "Conditions on labels of the topology, each label at most once." },
  },
  TopologySelectorLabelRequirement: {
    about: "A label and the values it may have.",
    fields: { key: "Name of the label.", values: "Values that are allowed, at least one." },
  },
};

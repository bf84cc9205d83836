import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Where pods run: affinity, taints, tolerations, spreading. */
export function declarePlacementTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    NodeSelector: {
      structType: "atomic",
      fields: {
        nodeSelectorTerms: {
          number: 1,
          type: "core/v1.NodeSelectorTerm",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NodeSelectorTerm: {
      structType: "atomic",
      fields: {
        matchExpressions: {
          number: 1,
          type: "core/v1.NodeSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        matchFields: {
          number: 2,
          type: "core/v1.NodeSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NodeSelectorRequirement: {
      fields: {
        key: { number: 1, type: "string" },
        operator: {
          number: 2,
          type: "string",
          enum: ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"],
          elementName: "v1.NodeSelectorOperator",
        },
        values: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    TopologySelectorTerm: {
      structType: "atomic",
      fields: {
        matchLabelExpressions: {
          number: 1,
          type: "core/v1.TopologySelectorLabelRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    TopologySelectorLabelRequirement: {
      fields: {
        key: { number: 1, type: "string", rules: { format: "qualifiedName" } },
        values: {
          number: 2,
          type: "string",
          list: true,
          listType: "atomic",
          rules: { required: true, unique: true },
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    Affinity: {
      fields: {
        nodeAffinity: {
          number: 1,
          type: "core/v1.NodeAffinity",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        podAffinity: {
          number: 2,
          type: "core/v1.PodAffinity",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        podAntiAffinity: {
          number: 3,
          type: "core/v1.PodAntiAffinity",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodAffinity: {
      fields: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          number: 1,
          type: "core/v1.PodAffinityTerm",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        preferredDuringSchedulingIgnoredDuringExecution: {
          number: 2,
          type: "core/v1.WeightedPodAffinityTerm",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    PodAntiAffinity: {
      fields: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          number: 1,
          type: "core/v1.PodAffinityTerm",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        preferredDuringSchedulingIgnoredDuringExecution: {
          number: 2,
          type: "core/v1.WeightedPodAffinityTerm",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    WeightedPodAffinityTerm: {
      fields: {
        weight: {
          number: 1,
          type: "int32",
          rules: { min: 1, max: 100, range: "must be in the range 1-100" },
        },
        podAffinityTerm: { number: 2, type: "core/v1.PodAffinityTerm" },
      },
    },
    PodAffinityTerm: {
      fields: {
        labelSelector: {
          number: 1,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        namespaces: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        topologyKey: { number: 3, type: "string", rules: { required: "can not be empty" } },
        namespaceSelector: {
          number: 4,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        matchLabelKeys: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          featureGate: "MatchLabelKeysInPodAffinity",
          since: "1.29",
        },
        mismatchLabelKeys: {
          number: 6,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          featureGate: "MatchLabelKeysInPodAffinity",
          since: "1.29",
        },
      },
    },
    NodeAffinity: {
      fields: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          number: 1,
          type: "core/v1.NodeSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        preferredDuringSchedulingIgnoredDuringExecution: {
          number: 2,
          type: "core/v1.PreferredSchedulingTerm",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    PreferredSchedulingTerm: {
      fields: {
        weight: {
          number: 1,
          type: "int32",
          rules: { min: 1, max: 100, range: "must be in the range 1-100" },
        },
        preference: { number: 2, type: "core/v1.NodeSelectorTerm" },
      },
    },
    Taint: {
      fields: {
        key: { number: 1, type: "string", rules: { format: "qualifiedName" } },
        value: { number: 2, type: "string", omitempty: true, optional: true },
        effect: {
          number: 3,
          type: "string",
          enum: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
          elementName: "v1.TaintEffect",
          rules: { required: true, supported: "enum" },
        },
        timeAdded: { number: 4, type: "Time", pointer: true, omitempty: true, optional: true },
      },
    },
    Toleration: {
      fields: {
        key: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "qualifiedName" },
        },
        operator: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Exists", "Equal", "Lt", "Gt"],
          elementName: "v1.TolerationOperator",
          rules: { supported: ["Equal", "Exists", "Lt", "Gt"] },
          before: { "1.35": { enum: ["Exists", "Equal"], rules: { supported: ["Equal", "Exists"] } } },
        },
        value: { number: 3, type: "string", omitempty: true, optional: true },
        effect: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
          elementName: "v1.TaintEffect",
          rules: { supported: "enum" },
        },
        tolerationSeconds: { number: 5, type: "int64", pointer: true, omitempty: true, optional: true },
      },
    },
    TopologySpreadConstraint: {
      fields: {
        maxSkew: { number: 1, type: "int32", rules: { min: 1, range: "must be greater than zero" } },
        topologyKey: { number: 2, type: "string", rules: { required: "can not be empty" } },
        whenUnsatisfiable: {
          number: 3,
          type: "string",
          enum: ["DoNotSchedule", "ScheduleAnyway"],
          elementName: "v1.UnsatisfiableConstraintAction",
        },
        labelSelector: {
          number: 4,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        minDomains: {
          number: 5,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "MinDomainsInPodTopologySpread",
          since: "1.24",
          rules: { min: 1, range: "must be greater than zero" },
        },
        nodeAffinityPolicy: {
          number: 6,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Ignore", "Honor"],
          featureGate: "NodeInclusionPolicyInPodTopologySpread",
          since: "1.25",
          elementName: "v1.NodeInclusionPolicy",
        },
        nodeTaintsPolicy: {
          number: 7,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Ignore", "Honor"],
          featureGate: "NodeInclusionPolicyInPodTopologySpread",
          since: "1.25",
          elementName: "v1.NodeInclusionPolicy",
        },
        matchLabelKeys: {
          number: 8,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          featureGate: "MatchLabelKeysInPodTopologySpread",
          since: "1.25",
        },
      },
    },
  };
}

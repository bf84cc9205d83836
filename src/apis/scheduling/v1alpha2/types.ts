import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const schedulingV1alpha2Types = typePackage("scheduling/v1alpha2", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    BasicSchedulingPolicy: { fields: {} },
    GangSchedulingPolicy: {
      fields: {
        minCount: {
          number: 1,
          type: "int32",
          rules: { required: true, min: 1, range: "must be greater than or equal to 1" },
        },
      },
    },
    PodGroup: {
      kind: "PodGroup",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "scheduling/v1alpha2.PodGroupSpec" },
        status: { number: 3, type: "scheduling/v1alpha2.PodGroupStatus", omitempty: true, optional: true },
      },
    },
    PodGroupList: listKind("scheduling/v1alpha2.PodGroup"),
    PodGroupResourceClaim: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true, format: "dnsLabel" } },
        resourceClaimName: {
          number: 2,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        resourceClaimTemplateName: {
          number: 3,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
      },
    },
    PodGroupResourceClaimStatus: {
      fields: {
        name: { number: 1, type: "string" },
        resourceClaimName: {
          number: 2,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
      },
    },
    PodGroupSchedulingConstraints: {
      fields: {
        topology: {
          number: 1,
          type: "scheduling/v1alpha2.TopologyConstraint",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    PodGroupSchedulingPolicy: {
      union: true,
      fields: {
        basic: {
          number: 1,
          type: "scheduling/v1alpha2.BasicSchedulingPolicy",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        gang: {
          number: 2,
          type: "scheduling/v1alpha2.GangSchedulingPolicy",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodGroupSpec: {
      fields: {
        podGroupTemplateRef: {
          number: 1,
          type: "scheduling/v1alpha2.PodGroupTemplateReference",
          pointer: true,
          optional: true,
        },
        schedulingPolicy: { number: 2, type: "scheduling/v1alpha2.PodGroupSchedulingPolicy" },
        schedulingConstraints: {
          number: 3,
          type: "scheduling/v1alpha2.PodGroupSchedulingConstraints",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "TopologyAwareWorkloadScheduling",
        },
        resourceClaims: {
          number: 4,
          type: "scheduling/v1alpha2.PodGroupResourceClaim",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge,retainKeys",
          patchMergeKey: "name",
          listType: "map",
          listMapKeys: ["name"],
          featureGate: "DRAWorkloadResourceClaims",
        },
        disruptionMode: {
          number: 5,
          type: "string",
          elementName: "v1alpha2.DisruptionMode",
          pointer: true,
          omitempty: true,
          optional: true,
          default: "Pod",
          enum: ["Pod", "PodGroup"],
          featureGate: "WorkloadAwarePreemption",
        },
        priorityClassName: {
          number: 6,
          type: "string",
          omitempty: true,
          optional: true,
          featureGate: "WorkloadAwarePreemption",
        },
        priority: {
          number: 7,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "WorkloadAwarePreemption",
        },
      },
    },
    PodGroupStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "meta/v1.Condition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
        resourceClaimStatuses: {
          number: 2,
          type: "scheduling/v1alpha2.PodGroupResourceClaimStatus",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge,retainKeys",
          patchMergeKey: "name",
          listType: "map",
          listMapKeys: ["name"],
          featureGate: "DRAWorkloadResourceClaims",
        },
      },
    },
    PodGroupTemplate: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true, format: "dnsLabel" } },
        schedulingPolicy: { number: 2, type: "scheduling/v1alpha2.PodGroupSchedulingPolicy" },
        schedulingConstraints: {
          number: 3,
          type: "scheduling/v1alpha2.PodGroupSchedulingConstraints",
          pointer: true,
          optional: true,
          featureGate: "TopologyAwareWorkloadScheduling",
        },
        resourceClaims: {
          number: 4,
          type: "scheduling/v1alpha2.PodGroupResourceClaim",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge,retainKeys",
          patchMergeKey: "name",
          listType: "map",
          listMapKeys: ["name"],
          featureGate: "DRAWorkloadResourceClaims",
        },
        disruptionMode: {
          number: 5,
          type: "string",
          elementName: "v1alpha2.DisruptionMode",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Pod", "PodGroup"],
          featureGate: "WorkloadAwarePreemption",
        },
        priorityClassName: {
          number: 6,
          type: "string",
          omitempty: true,
          optional: true,
          featureGate: "WorkloadAwarePreemption",
          rules: { format: "dnsSubdomain" },
        },
        priority: {
          number: 7,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "WorkloadAwarePreemption",
          rules: { max: 1_000_000_000, range: "must be less than or equal to 1000000000" },
        },
      },
    },
    PodGroupTemplateReference: {
      union: true,
      fields: {
        workload: {
          number: 1,
          type: "scheduling/v1alpha2.WorkloadPodGroupTemplateReference",
          pointer: true,
          optional: true,
        },
      },
    },
    TopologyConstraint: {
      fields: { key: { number: 1, type: "string", rules: { required: true, format: "qualifiedName" } } },
    },
    TypedLocalObjectReference: {
      fields: {
        apiGroup: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        kind: { number: 2, type: "string", rules: { required: true, format: "pathSegment" } },
        name: { number: 3, type: "string", rules: { required: true, format: "pathSegment" } },
      },
    },
    Workload: {
      kind: "Workload",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "scheduling/v1alpha2.WorkloadSpec" },
      },
    },
    WorkloadList: listKind("scheduling/v1alpha2.Workload"),
    WorkloadPodGroupTemplateReference: {
      fields: {
        workloadName: { number: 1, type: "string", rules: { required: true, format: "dnsSubdomain" } },
        podGroupTemplateName: { number: 2, type: "string", rules: { required: true, format: "dnsLabel" } },
      },
    },
    WorkloadSpec: {
      fields: {
        controllerRef: {
          number: 1,
          type: "scheduling/v1alpha2.TypedLocalObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        podGroupTemplates: {
          number: 2,
          type: "scheduling/v1alpha2.PodGroupTemplate",
          list: true,
          listType: "map",
          listMapKeys: ["name"],
          rules: {
            required: { until: "1.36", detail: "must have at least one item" },
            maxItems: 8,
            immutable: true,
          },
        },
      },
    },
  };
}

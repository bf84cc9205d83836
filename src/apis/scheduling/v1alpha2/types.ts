import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const schedulingV1alpha2Types = typePackage("scheduling/v1alpha2", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    BasicSchedulingPolicy: { fields: {} },
    GangSchedulingPolicy: { fields: { minCount: { number: 1, type: "int32" } } },
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
        name: { number: 1, type: "string" },
        resourceClaimName: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
        resourceClaimTemplateName: {
          number: 3,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodGroupResourceClaimStatus: {
      fields: {
        name: { number: 1, type: "string" },
        resourceClaimName: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
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
        name: { number: 1, type: "string" },
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
    TopologyConstraint: { fields: { key: { number: 1, type: "string" } } },
    TypedLocalObjectReference: {
      fields: {
        apiGroup: { number: 1, type: "string", omitempty: true, optional: true },
        kind: { number: 2, type: "string" },
        name: { number: 3, type: "string" },
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
        workloadName: { number: 1, type: "string" },
        podGroupTemplateName: { number: 2, type: "string" },
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
        },
        podGroupTemplates: {
          number: 2,
          type: "scheduling/v1alpha2.PodGroupTemplate",
          list: true,
          listType: "map",
          listMapKeys: ["name"],
        },
      },
    },
  };
}

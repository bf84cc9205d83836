import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const appsV1Types: TypePackage = { name: "apps/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    StatefulSet: {
      kind: "StatefulSet",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "apps/v1.StatefulSetSpec", omitempty: true, optional: true },
        status: { number: 3, type: "apps/v1.StatefulSetStatus", omitempty: true, optional: true },
      },
    },
    StatefulSetUpdateStrategy: {
      fields: {
        type: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["RollingUpdate", "OnDelete"],
          elementName: "v1.StatefulSetUpdateStrategyType",
        },
        rollingUpdate: {
          number: 2,
          type: "apps/v1.RollingUpdateStatefulSetStrategy",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    RollingUpdateStatefulSetStrategy: {
      fields: {
        partition: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
      },
    },
    StatefulSetPersistentVolumeClaimRetentionPolicy: {
      fields: {
        whenDeleted: {
          number: 1,
          type: "string",
          omitempty: true,
          elementName: "v1.PersistentVolumeClaimRetentionPolicyType",
          rules: { supported: ["Retain", "Delete"] },
        },
        whenScaled: {
          number: 2,
          type: "string",
          omitempty: true,
          elementName: "v1.PersistentVolumeClaimRetentionPolicyType",
          rules: { supported: ["Retain", "Delete"] },
        },
      },
    },
    StatefulSetSpec: {
      fields: {
        replicas: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        selector: { number: 2, type: "meta/v1.LabelSelector", pointer: true },
        template: { number: 3, type: "core/v1.PodTemplateSpec" },
        volumeClaimTemplates: {
          number: 4,
          type: "core/v1.PersistentVolumeClaim",
          embeddedType: { kind: "PersistentVolumeClaim", apiVersion: "v1" },
          list: true,
          omitempty: true,
          optional: true,
        },
        serviceName: { number: 5, type: "string" },
        podManagementPolicy: {
          number: 6,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["OrderedReady", "Parallel"],
          elementName: "v1.PodManagementPolicyType",
          rules: { required: true },
        },
        updateStrategy: { number: 7, type: "apps/v1.StatefulSetUpdateStrategy", omitempty: true },
        revisionHistoryLimit: { number: 8, type: "int32", pointer: true, omitempty: true, optional: true },
        minReadySeconds: { number: 9, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        persistentVolumeClaimRetentionPolicy: {
          number: 10,
          type: "apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    StatefulSetStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", omitempty: true, optional: true },
        replicas: { number: 2, type: "int32" },
        readyReplicas: { number: 3, type: "int32", omitempty: true },
        currentReplicas: { number: 4, type: "int32", omitempty: true },
        updatedReplicas: { number: 5, type: "int32", omitempty: true },
        currentRevision: { number: 6, type: "string", omitempty: true },
        updateRevision: { number: 7, type: "string", omitempty: true },
        collisionCount: { number: 9, type: "int32", pointer: true, omitempty: true, optional: true },
        conditions: {
          number: 10,
          type: "apps/v1.StatefulSetCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
        availableReplicas: { number: 11, type: "int32", optional: true },
      },
    },
    StatefulSetCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.StatefulSetConditionType" },
        status: { number: 2, type: "string", elementName: "core/v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    StatefulSetList: listKind("apps/v1.StatefulSet"),
    Deployment: {
      kind: "Deployment",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "apps/v1.DeploymentSpec", omitempty: true, optional: true },
        status: { number: 3, type: "apps/v1.DeploymentStatus", omitempty: true, optional: true },
      },
    },
    DeploymentSpec: {
      fields: {
        replicas: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        selector: { number: 2, type: "meta/v1.LabelSelector", pointer: true },
        template: { number: 3, type: "core/v1.PodTemplateSpec" },
        strategy: {
          number: 4,
          type: "apps/v1.DeploymentStrategy",
          omitempty: true,
          optional: true,
          patchStrategy: "retainKeys",
        },
        minReadySeconds: { number: 5, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        revisionHistoryLimit: {
          number: 6,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        paused: { number: 7, type: "bool", omitempty: true, optional: true },
        progressDeadlineSeconds: {
          number: 9,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
      },
    },
    DeploymentStrategy: {
      fields: {
        type: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Recreate", "RollingUpdate"],
          elementName: "v1.DeploymentStrategyType",
        },
        rollingUpdate: {
          number: 2,
          type: "apps/v1.RollingUpdateDeployment",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    RollingUpdateDeployment: {
      fields: {
        maxUnavailable: { number: 1, type: "IntOrString", pointer: true, omitempty: true, optional: true },
        maxSurge: { number: 2, type: "IntOrString", pointer: true, omitempty: true, optional: true },
      },
    },
    DeploymentStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", omitempty: true, optional: true },
        replicas: { number: 2, type: "int32", omitempty: true, optional: true },
        updatedReplicas: { number: 3, type: "int32", omitempty: true, optional: true },
        readyReplicas: { number: 7, type: "int32", omitempty: true, optional: true },
        availableReplicas: { number: 4, type: "int32", omitempty: true, optional: true },
        unavailableReplicas: { number: 5, type: "int32", omitempty: true, optional: true },
        conditions: {
          number: 6,
          type: "apps/v1.DeploymentCondition",
          list: true,
          omitempty: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
        collisionCount: { number: 8, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    DeploymentCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.DeploymentConditionType" },
        status: { number: 2, type: "string", elementName: "core/v1.ConditionStatus" },
        lastUpdateTime: { number: 6, type: "Time", omitempty: true },
        lastTransitionTime: { number: 7, type: "Time", omitempty: true },
        reason: { number: 4, type: "string", omitempty: true },
        message: { number: 5, type: "string", omitempty: true },
      },
    },
    DeploymentList: listKind("apps/v1.Deployment"),
    DaemonSetUpdateStrategy: {
      fields: {
        type: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["RollingUpdate", "OnDelete"],
          elementName: "v1.DaemonSetUpdateStrategyType",
          rules: { supported: "enum" },
        },
        rollingUpdate: {
          number: 2,
          type: "apps/v1.RollingUpdateDaemonSet",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    RollingUpdateDaemonSet: {
      fields: {
        maxUnavailable: { number: 1, type: "IntOrString", pointer: true, omitempty: true, optional: true },
        maxSurge: { number: 2, type: "IntOrString", pointer: true, omitempty: true, optional: true },
      },
    },
    DaemonSetSpec: {
      fields: {
        selector: { number: 1, type: "meta/v1.LabelSelector", pointer: true },
        template: { number: 2, type: "core/v1.PodTemplateSpec" },
        updateStrategy: {
          number: 3,
          type: "apps/v1.DaemonSetUpdateStrategy",
          omitempty: true,
          optional: true,
        },
        minReadySeconds: { number: 4, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        revisionHistoryLimit: {
          number: 6,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
      },
    },
    DaemonSetStatus: {
      fields: {
        currentNumberScheduled: { number: 1, type: "int32" },
        numberMisscheduled: { number: 2, type: "int32" },
        desiredNumberScheduled: { number: 3, type: "int32" },
        numberReady: { number: 4, type: "int32" },
        observedGeneration: { number: 5, type: "int64", omitempty: true, optional: true },
        updatedNumberScheduled: { number: 6, type: "int32", omitempty: true, optional: true },
        numberAvailable: { number: 7, type: "int32", omitempty: true, optional: true },
        numberUnavailable: { number: 8, type: "int32", omitempty: true, optional: true },
        collisionCount: { number: 9, type: "int32", pointer: true, omitempty: true, optional: true },
        conditions: {
          number: 10,
          type: "apps/v1.DaemonSetCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
      },
    },
    DaemonSetCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.DaemonSetConditionType" },
        status: { number: 2, type: "string", elementName: "core/v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    DaemonSet: {
      kind: "DaemonSet",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "apps/v1.DaemonSetSpec", omitempty: true, optional: true },
        status: { number: 3, type: "apps/v1.DaemonSetStatus", omitempty: true, optional: true },
      },
    },
    DaemonSetList: listKind("apps/v1.DaemonSet"),
    ReplicaSet: {
      kind: "ReplicaSet",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "apps/v1.ReplicaSetSpec", omitempty: true, optional: true },
        status: { number: 3, type: "apps/v1.ReplicaSetStatus", omitempty: true, optional: true },
      },
    },
    ReplicaSetList: listKind("apps/v1.ReplicaSet"),
    ReplicaSetSpec: {
      fields: {
        replicas: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        minReadySeconds: { number: 4, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        selector: { number: 2, type: "meta/v1.LabelSelector", pointer: true },
        template: { number: 3, type: "core/v1.PodTemplateSpec", omitempty: true, optional: true },
      },
    },
    ReplicaSetStatus: {
      fields: {
        replicas: { number: 1, type: "int32" },
        fullyLabeledReplicas: { number: 2, type: "int32", omitempty: true, optional: true },
        readyReplicas: { number: 4, type: "int32", omitempty: true, optional: true },
        availableReplicas: { number: 5, type: "int32", omitempty: true, optional: true },
        observedGeneration: { number: 3, type: "int64", omitempty: true, optional: true },
        conditions: {
          number: 6,
          type: "apps/v1.ReplicaSetCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
      },
    },
    ReplicaSetCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.ReplicaSetConditionType" },
        status: { number: 2, type: "string", elementName: "core/v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    ControllerRevision: {
      kind: "ControllerRevision",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        data: {
          number: 2,
          type: "RawExtension",
          omitempty: true,
          rules: { required: "data is mandatory", immutable: true },
        },
        revision: { number: 3, type: "int64", rules: { min: 0 } },
      },
    },
    ControllerRevisionList: listKind("apps/v1.ControllerRevision"),
  };
}

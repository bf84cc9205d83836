import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Pods, their templates and what places them on nodes. */
export function declarePodTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PodCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.PodConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastProbeTime: { number: 3, type: "Time", omitempty: true, optional: true },
        lastTransitionTime: { number: 4, type: "Time", omitempty: true, optional: true },
        reason: { number: 5, type: "string", omitempty: true, optional: true },
        message: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    NodeSelector: {
      structType: "atomic",
      fields: {
        nodeSelectorTerms: { number: 1, type: "core/v1.NodeSelectorTerm", list: true },
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
        },
        matchFields: {
          number: 2,
          type: "core/v1.NodeSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
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
        values: { number: 3, type: "string", list: true, omitempty: true, optional: true },
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
        },
      },
    },
    TopologySelectorLabelRequirement: {
      fields: {
        key: { number: 1, type: "string" },
        values: { number: 2, type: "string", list: true },
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
        },
        preferredDuringSchedulingIgnoredDuringExecution: {
          number: 2,
          type: "core/v1.WeightedPodAffinityTerm",
          list: true,
          omitempty: true,
          optional: true,
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
        },
        preferredDuringSchedulingIgnoredDuringExecution: {
          number: 2,
          type: "core/v1.WeightedPodAffinityTerm",
          list: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    WeightedPodAffinityTerm: {
      fields: {
        weight: { number: 1, type: "int32" },
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
        namespaces: { number: 2, type: "string", list: true, omitempty: true, optional: true },
        topologyKey: { number: 3, type: "string" },
        namespaceSelector: {
          number: 4,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
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
        },
      },
    },
    PreferredSchedulingTerm: {
      fields: {
        weight: { number: 1, type: "int32" },
        preference: { number: 2, type: "core/v1.NodeSelectorTerm" },
      },
    },
    Taint: {
      fields: {
        key: { number: 1, type: "string" },
        value: { number: 2, type: "string", omitempty: true, optional: true },
        effect: {
          number: 3,
          type: "string",
          enum: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
          elementName: "v1.TaintEffect",
        },
        timeAdded: { number: 4, type: "Time", pointer: true, omitempty: true, optional: true },
      },
    },
    Toleration: {
      fields: {
        key: { number: 1, type: "string", omitempty: true, optional: true },
        operator: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Exists", "Equal"],
          elementName: "v1.TolerationOperator",
        },
        value: { number: 3, type: "string", omitempty: true, optional: true },
        effect: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
          elementName: "v1.TaintEffect",
        },
        tolerationSeconds: { number: 5, type: "int64", pointer: true, omitempty: true, optional: true },
      },
    },
    PodReadinessGate: {
      fields: {
        conditionType: { number: 1, type: "string", elementName: "v1.PodConditionType" },
      },
    },
    PodSpec: {
      fields: {
        volumes: {
          number: 1,
          type: "core/v1.Volume",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge,retainKeys",
          patchMergeKey: "name",
        },
        initContainers: {
          number: 20,
          type: "core/v1.Container",
          list: true,
          omitempty: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
        containers: {
          number: 2,
          type: "core/v1.Container",
          list: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
        ephemeralContainers: {
          number: 34,
          type: "core/v1.EphemeralContainer",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
        restartPolicy: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Always", "OnFailure", "Never"],
          elementName: "v1.RestartPolicy",
        },
        terminationGracePeriodSeconds: {
          number: 4,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        activeDeadlineSeconds: { number: 5, type: "int64", pointer: true, omitempty: true, optional: true },
        dnsPolicy: {
          number: 6,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
          elementName: "v1.DNSPolicy",
        },
        nodeSelector: {
          number: 7,
          type: "string",
          map: true,
          omitempty: true,
          optional: true,
          mapType: "atomic",
        },
        serviceAccountName: { number: 8, type: "string", omitempty: true, optional: true },
        serviceAccount: { number: 9, type: "string", omitempty: true, optional: true },
        automountServiceAccountToken: {
          number: 21,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nodeName: { number: 10, type: "string", omitempty: true, optional: true },
        hostNetwork: { number: 11, type: "bool", omitempty: true, optional: true },
        hostPID: { number: 12, type: "bool", omitempty: true, optional: true },
        hostIPC: { number: 13, type: "bool", omitempty: true, optional: true },
        shareProcessNamespace: { number: 27, type: "bool", pointer: true, omitempty: true, optional: true },
        securityContext: {
          number: 14,
          type: "core/v1.PodSecurityContext",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        imagePullSecrets: {
          number: 15,
          type: "core/v1.LocalObjectReference",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
        hostname: { number: 16, type: "string", omitempty: true, optional: true },
        subdomain: { number: 17, type: "string", omitempty: true, optional: true },
        affinity: { number: 18, type: "core/v1.Affinity", pointer: true, omitempty: true, optional: true },
        schedulerName: { number: 19, type: "string", omitempty: true, optional: true },
        tolerations: { number: 22, type: "core/v1.Toleration", list: true, omitempty: true, optional: true },
        hostAliases: {
          number: 23,
          type: "core/v1.HostAlias",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "ip",
        },
        priorityClassName: { number: 24, type: "string", omitempty: true, optional: true },
        priority: { number: 25, type: "int32", pointer: true, omitempty: true, optional: true },
        dnsConfig: {
          number: 26,
          type: "core/v1.PodDNSConfig",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        readinessGates: {
          number: 28,
          type: "core/v1.PodReadinessGate",
          list: true,
          omitempty: true,
          optional: true,
        },
        runtimeClassName: { number: 29, type: "string", pointer: true, omitempty: true, optional: true },
        enableServiceLinks: { number: 30, type: "bool", pointer: true, omitempty: true, optional: true },
        preemptionPolicy: {
          number: 31,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["PreemptLowerPriority", "Never"],
          elementName: "v1.PreemptionPolicy",
        },
        overhead: {
          number: 32,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        topologySpreadConstraints: {
          number: 33,
          type: "core/v1.TopologySpreadConstraint",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "topologyKey",
          listType: "map",
          listMapKeys: ["topologyKey", "whenUnsatisfiable"],
        },
        setHostnameAsFQDN: { number: 35, type: "bool", pointer: true, omitempty: true, optional: true },
        os: { number: 36, type: "core/v1.PodOS", pointer: true, omitempty: true, optional: true },
      },
    },
    PodOS: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.OSName" },
      },
    },
    TopologySpreadConstraint: {
      fields: {
        maxSkew: { number: 1, type: "int32" },
        topologyKey: { number: 2, type: "string" },
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
      },
    },
    HostAlias: {
      fields: {
        ip: { number: 1, type: "string", omitempty: true },
        hostnames: { number: 2, type: "string", list: true, omitempty: true },
      },
    },
    PodSecurityContext: {
      fields: {
        seLinuxOptions: {
          number: 1,
          type: "core/v1.SELinuxOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        windowsOptions: {
          number: 8,
          type: "core/v1.WindowsSecurityContextOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        runAsUser: { number: 2, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsGroup: { number: 6, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsNonRoot: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
        supplementalGroups: { number: 4, type: "int64", list: true, omitempty: true, optional: true },
        fsGroup: { number: 5, type: "int64", pointer: true, omitempty: true, optional: true },
        sysctls: { number: 7, type: "core/v1.Sysctl", list: true, omitempty: true, optional: true },
        fsGroupChangePolicy: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["OnRootMismatch", "Always"],
          elementName: "v1.PodFSGroupChangePolicy",
        },
        seccompProfile: {
          number: 10,
          type: "core/v1.SeccompProfile",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    SeccompProfile: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          enum: ["Unconfined", "RuntimeDefault", "Localhost"],
          unionDiscriminator: true,
          elementName: "v1.SeccompProfileType",
        },
        localhostProfile: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    PodDNSConfig: {
      fields: {
        nameservers: { number: 1, type: "string", list: true, omitempty: true, optional: true },
        searches: { number: 2, type: "string", list: true, omitempty: true, optional: true },
        options: {
          number: 3,
          type: "core/v1.PodDNSConfigOption",
          list: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodDNSConfigOption: {
      fields: {
        name: { number: 1, type: "string", omitempty: true },
        value: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    PodIP: {
      fields: {
        ip: { number: 1, type: "string", omitempty: true },
      },
    },
    PodStatus: {
      fields: {
        phase: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Pending", "Running", "Succeeded", "Failed", "Unknown"],
          elementName: "v1.PodPhase",
        },
        conditions: {
          number: 2,
          type: "core/v1.PodCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
        message: { number: 3, type: "string", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        nominatedNodeName: { number: 11, type: "string", omitempty: true, optional: true },
        hostIP: { number: 5, type: "string", omitempty: true, optional: true },
        podIP: { number: 6, type: "string", omitempty: true, optional: true },
        podIPs: {
          number: 12,
          type: "core/v1.PodIP",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "ip",
        },
        startTime: { number: 7, type: "Time", pointer: true, omitempty: true, optional: true },
        initContainerStatuses: { number: 10, type: "core/v1.ContainerStatus", list: true, omitempty: true },
        containerStatuses: {
          number: 8,
          type: "core/v1.ContainerStatus",
          list: true,
          omitempty: true,
          optional: true,
        },
        qosClass: {
          number: 9,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Guaranteed", "Burstable", "BestEffort"],
          elementName: "v1.PodQOSClass",
        },
        ephemeralContainerStatuses: {
          number: 13,
          type: "core/v1.ContainerStatus",
          list: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodStatusResult: {
      kind: "PodStatusResult",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        status: { number: 2, type: "core/v1.PodStatus", omitempty: true, optional: true },
      },
    },
    Pod: {
      kind: "Pod",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.PodSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.PodStatus", omitempty: true, optional: true },
      },
    },
    PodList: {
      kind: "PodList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "core/v1.Pod", list: true },
      },
    },
    PodTemplateSpec: {
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.PodSpec", omitempty: true, optional: true },
      },
    },
    PodTemplate: {
      kind: "PodTemplate",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        template: { number: 2, type: "core/v1.PodTemplateSpec", omitempty: true, optional: true },
      },
    },
    PodTemplateList: {
      kind: "PodTemplateList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "core/v1.PodTemplate", list: true },
      },
    },
    Binding: {
      kind: "Binding",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        target: { number: 2, type: "core/v1.ObjectReference" },
      },
    },
    Preconditions: {
      fields: {
        uid: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          elementName: "types.UID",
        },
      },
    },
    Sysctl: {
      fields: {
        name: { number: 1, type: "string" },
        value: { number: 2, type: "string" },
      },
    },
  };
}

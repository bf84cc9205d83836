import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Containers: ports, environment, probes, security, states. */
export function declareContainerTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    ContainerPort: {
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        hostPort: { number: 2, type: "int32", omitempty: true, optional: true },
        containerPort: { number: 3, type: "int32" },
        protocol: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          default: "TCP",
          enum: ["TCP", "UDP", "SCTP"],
        },
        hostIP: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    VolumeMount: {
      fields: {
        name: { number: 1, type: "string" },
        readOnly: { number: 2, type: "bool", omitempty: true, optional: true },
        mountPath: { number: 3, type: "string" },
        subPath: { number: 4, type: "string", omitempty: true, optional: true },
        mountPropagation: {
          number: 5,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["None", "HostToContainer", "Bidirectional"],
        },
        subPathExpr: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    VolumeDevice: {
      fields: {
        name: { number: 1, type: "string" },
        devicePath: { number: 2, type: "string" },
      },
    },
    EnvVar: {
      fields: {
        name: { number: 1, type: "string" },
        value: { number: 2, type: "string", omitempty: true, optional: true },
        valueFrom: {
          number: 3,
          type: "core/v1.EnvVarSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    EnvVarSource: {
      fields: {
        fieldRef: {
          number: 1,
          type: "core/v1.ObjectFieldSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resourceFieldRef: {
          number: 2,
          type: "core/v1.ResourceFieldSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        configMapKeyRef: {
          number: 3,
          type: "core/v1.ConfigMapKeySelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        secretKeyRef: {
          number: 4,
          type: "core/v1.SecretKeySelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ObjectFieldSelector: {
      structType: "atomic",
      fields: {
        apiVersion: { number: 1, type: "string", omitempty: true, optional: true },
        fieldPath: { number: 2, type: "string" },
      },
    },
    ResourceFieldSelector: {
      structType: "atomic",
      fields: {
        containerName: { number: 1, type: "string", omitempty: true, optional: true },
        resource: { number: 2, type: "string" },
        divisor: { number: 3, type: "Quantity", omitempty: true, optional: true },
      },
    },
    ConfigMapKeySelector: {
      structType: "atomic",
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        key: { number: 2, type: "string" },
        optional: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    SecretKeySelector: {
      structType: "atomic",
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        key: { number: 2, type: "string" },
        optional: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    EnvFromSource: {
      fields: {
        prefix: { number: 1, type: "string", omitempty: true, optional: true },
        configMapRef: {
          number: 2,
          type: "core/v1.ConfigMapEnvSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        secretRef: {
          number: 3,
          type: "core/v1.SecretEnvSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ConfigMapEnvSource: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        optional: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    SecretEnvSource: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        optional: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    HTTPHeader: {
      fields: {
        name: { number: 1, type: "string" },
        value: { number: 2, type: "string" },
      },
    },
    HTTPGetAction: {
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true },
        port: { number: 2, type: "IntOrString" },
        host: { number: 3, type: "string", omitempty: true, optional: true },
        scheme: { number: 4, type: "string", omitempty: true, optional: true, enum: ["HTTP", "HTTPS"] },
        httpHeaders: { number: 5, type: "core/v1.HTTPHeader", list: true, omitempty: true, optional: true },
      },
    },
    TCPSocketAction: {
      fields: {
        port: { number: 1, type: "IntOrString" },
        host: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    GRPCAction: {
      fields: {
        port: { number: 1, type: "int32" },
        service: { number: 2, type: "string", pointer: true, optional: true, default: "" },
      },
    },
    ExecAction: {
      fields: {
        command: { number: 1, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    Probe: {
      fields: {
        handler: { number: 1, type: "core/v1.ProbeHandler", inline: true },
        initialDelaySeconds: { number: 2, type: "int32", omitempty: true, optional: true },
        timeoutSeconds: { number: 3, type: "int32", omitempty: true, optional: true },
        periodSeconds: { number: 4, type: "int32", omitempty: true, optional: true },
        successThreshold: { number: 5, type: "int32", omitempty: true, optional: true },
        failureThreshold: { number: 6, type: "int32", omitempty: true, optional: true },
        terminationGracePeriodSeconds: {
          number: 7,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    Capabilities: {
      fields: {
        add: { number: 1, type: "string", list: true, omitempty: true, optional: true },
        drop: { number: 2, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    ResourceRequirements: {
      fields: {
        limits: { number: 1, type: "Quantity", map: true, omitempty: true, optional: true },
        requests: { number: 2, type: "Quantity", map: true, omitempty: true, optional: true },
      },
    },
    Container: {
      fields: {
        name: { number: 1, type: "string" },
        image: { number: 2, type: "string", omitempty: true, optional: true },
        command: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        args: { number: 4, type: "string", list: true, omitempty: true, optional: true },
        workingDir: { number: 5, type: "string", omitempty: true, optional: true },
        ports: {
          number: 6,
          type: "core/v1.ContainerPort",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "containerPort",
          listType: "map",
          listMapKeys: ["containerPort", "protocol"],
        },
        envFrom: { number: 19, type: "core/v1.EnvFromSource", list: true, omitempty: true, optional: true },
        env: {
          number: 7,
          type: "core/v1.EnvVar",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
        resources: { number: 8, type: "core/v1.ResourceRequirements", omitempty: true, optional: true },
        volumeMounts: {
          number: 9,
          type: "core/v1.VolumeMount",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "mountPath",
        },
        volumeDevices: {
          number: 21,
          type: "core/v1.VolumeDevice",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "devicePath",
        },
        livenessProbe: { number: 10, type: "core/v1.Probe", pointer: true, omitempty: true, optional: true },
        readinessProbe: { number: 11, type: "core/v1.Probe", pointer: true, omitempty: true, optional: true },
        startupProbe: { number: 22, type: "core/v1.Probe", pointer: true, omitempty: true, optional: true },
        lifecycle: { number: 12, type: "core/v1.Lifecycle", pointer: true, omitempty: true, optional: true },
        terminationMessagePath: { number: 13, type: "string", omitempty: true, optional: true },
        terminationMessagePolicy: {
          number: 20,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["File", "FallbackToLogsOnError"],
        },
        imagePullPolicy: {
          number: 14,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Always", "Never", "IfNotPresent"],
        },
        securityContext: {
          number: 15,
          type: "core/v1.SecurityContext",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        stdin: { number: 16, type: "bool", omitempty: true, optional: true },
        stdinOnce: { number: 17, type: "bool", omitempty: true, optional: true },
        tty: { number: 18, type: "bool", omitempty: true, optional: true },
      },
    },
    ProbeHandler: {
      fields: {
        exec: { number: 1, type: "core/v1.ExecAction", pointer: true, omitempty: true, optional: true },
        httpGet: { number: 2, type: "core/v1.HTTPGetAction", pointer: true, omitempty: true, optional: true },
        tcpSocket: {
          number: 3,
          type: "core/v1.TCPSocketAction",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        grpc: {
          number: 4,
          type: "core/v1.GRPCAction",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "GRPCContainerProbe",
        },
      },
    },
    LifecycleHandler: {
      fields: {
        exec: { number: 1, type: "core/v1.ExecAction", pointer: true, omitempty: true, optional: true },
        httpGet: { number: 2, type: "core/v1.HTTPGetAction", pointer: true, omitempty: true, optional: true },
        tcpSocket: {
          number: 3,
          type: "core/v1.TCPSocketAction",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    Lifecycle: {
      fields: {
        postStart: {
          number: 1,
          type: "core/v1.LifecycleHandler",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        preStop: {
          number: 2,
          type: "core/v1.LifecycleHandler",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ContainerStateWaiting: {
      fields: {
        reason: { number: 1, type: "string", omitempty: true, optional: true },
        message: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    ContainerStateRunning: {
      fields: {
        startedAt: { number: 1, type: "Time", omitempty: true, optional: true },
      },
    },
    ContainerStateTerminated: {
      fields: {
        exitCode: { number: 1, type: "int32" },
        signal: { number: 2, type: "int32", omitempty: true, optional: true },
        reason: { number: 3, type: "string", omitempty: true, optional: true },
        message: { number: 4, type: "string", omitempty: true, optional: true },
        startedAt: { number: 5, type: "Time", omitempty: true, optional: true },
        finishedAt: { number: 6, type: "Time", omitempty: true, optional: true },
        containerID: { number: 7, type: "string", omitempty: true, optional: true },
      },
    },
    ContainerState: {
      fields: {
        waiting: {
          number: 1,
          type: "core/v1.ContainerStateWaiting",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        running: {
          number: 2,
          type: "core/v1.ContainerStateRunning",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        terminated: {
          number: 3,
          type: "core/v1.ContainerStateTerminated",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ContainerStatus: {
      fields: {
        name: { number: 1, type: "string" },
        state: { number: 2, type: "core/v1.ContainerState", omitempty: true, optional: true },
        lastState: { number: 3, type: "core/v1.ContainerState", omitempty: true, optional: true },
        ready: { number: 4, type: "bool" },
        restartCount: { number: 5, type: "int32" },
        image: { number: 6, type: "string" },
        imageID: { number: 7, type: "string" },
        containerID: { number: 8, type: "string", omitempty: true, optional: true },
        started: { number: 9, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    EphemeralContainerCommon: {
      fields: {
        name: { number: 1, type: "string" },
        image: { number: 2, type: "string", omitempty: true },
        command: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        args: { number: 4, type: "string", list: true, omitempty: true, optional: true },
        workingDir: { number: 5, type: "string", omitempty: true, optional: true },
        ports: {
          number: 6,
          type: "core/v1.ContainerPort",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "containerPort",
          listType: "map",
          listMapKeys: ["containerPort", "protocol"],
        },
        envFrom: { number: 19, type: "core/v1.EnvFromSource", list: true, omitempty: true, optional: true },
        env: {
          number: 7,
          type: "core/v1.EnvVar",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
        },
        resources: { number: 8, type: "core/v1.ResourceRequirements", omitempty: true, optional: true },
        volumeMounts: {
          number: 9,
          type: "core/v1.VolumeMount",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "mountPath",
        },
        volumeDevices: {
          number: 21,
          type: "core/v1.VolumeDevice",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "devicePath",
        },
        livenessProbe: { number: 10, type: "core/v1.Probe", pointer: true, omitempty: true, optional: true },
        readinessProbe: { number: 11, type: "core/v1.Probe", pointer: true, omitempty: true, optional: true },
        startupProbe: { number: 22, type: "core/v1.Probe", pointer: true, omitempty: true, optional: true },
        lifecycle: { number: 12, type: "core/v1.Lifecycle", pointer: true, omitempty: true, optional: true },
        terminationMessagePath: { number: 13, type: "string", omitempty: true, optional: true },
        terminationMessagePolicy: {
          number: 20,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["File", "FallbackToLogsOnError"],
        },
        imagePullPolicy: {
          number: 14,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Always", "Never", "IfNotPresent"],
        },
        securityContext: {
          number: 15,
          type: "core/v1.SecurityContext",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        stdin: { number: 16, type: "bool", omitempty: true, optional: true },
        stdinOnce: { number: 17, type: "bool", omitempty: true, optional: true },
        tty: { number: 18, type: "bool", omitempty: true, optional: true },
      },
    },
    EphemeralContainer: {
      fields: {
        ephemeralContainerCommon: { number: 1, type: "core/v1.EphemeralContainerCommon", inline: true },
        targetContainerName: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    SecurityContext: {
      fields: {
        capabilities: {
          number: 1,
          type: "core/v1.Capabilities",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        privileged: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
        seLinuxOptions: {
          number: 3,
          type: "core/v1.SELinuxOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        windowsOptions: {
          number: 10,
          type: "core/v1.WindowsSecurityContextOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        runAsUser: { number: 4, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsGroup: { number: 8, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsNonRoot: { number: 5, type: "bool", pointer: true, omitempty: true, optional: true },
        readOnlyRootFilesystem: { number: 6, type: "bool", pointer: true, omitempty: true, optional: true },
        allowPrivilegeEscalation: { number: 7, type: "bool", pointer: true, omitempty: true, optional: true },
        procMount: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Default", "Unmasked"],
        },
        seccompProfile: {
          number: 11,
          type: "core/v1.SeccompProfile",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    SELinuxOptions: {
      fields: {
        user: { number: 1, type: "string", omitempty: true, optional: true },
        role: { number: 2, type: "string", omitempty: true, optional: true },
        type: { number: 3, type: "string", omitempty: true, optional: true },
        level: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    WindowsSecurityContextOptions: {
      fields: {
        gmsaCredentialSpecName: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        gmsaCredentialSpec: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
        runAsUserName: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        hostProcess: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
  };
}

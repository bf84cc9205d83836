import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** A key of a config map or a secret. */
const keySelector: MessageDeclaration = {
  structType: "atomic",
  fields: {
    localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
    key: { number: 2, type: "string" },
    optional: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
  },
};

/** A config map or a secret as a source of environment variables. */
const envSource: MessageDeclaration = {
  fields: {
    localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
    optional: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
  },
};

/** Ephemeral containers have the same fields. */
const containerFields: MessageDeclaration["fields"] = {
  name: { number: 1, type: "string" },
  image: { number: 2, type: "string", omitempty: true, optional: true, rules: { required: true } },
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
    elementName: "v1.TerminationMessagePolicy",
  },
  imagePullPolicy: {
    number: 14,
    type: "string",
    omitempty: true,
    optional: true,
    enum: ["Always", "Never", "IfNotPresent"],
    elementName: "v1.PullPolicy",
    rules: { required: true },
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
};

/** Containers: ports, environment, mounts, states. */
export function declareContainersTypes(): { readonly [typeName: string]: MessageDeclaration } {
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
          elementName: "v1.Protocol",
          rules: { required: true },
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
          elementName: "v1.MountPropagationMode",
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
    ConfigMapKeySelector: keySelector,
    SecretKeySelector: keySelector,
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
    ConfigMapEnvSource: envSource,
    SecretEnvSource: envSource,
    ResourceRequirements: {
      fields: {
        limits: {
          number: 1,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        requests: {
          number: 2,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
      },
    },
    Container: { fields: containerFields },
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
        ...containerFields,
        image: { number: 2, type: "string", omitempty: true, rules: { required: true } },
      },
    },
    EphemeralContainer: {
      fields: {
        ephemeralContainerCommon: { number: 1, type: "core/v1.EphemeralContainerCommon", inline: true },
        targetContainerName: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
  };
}

import type { TypeDescriptions } from "./type-descriptions.js";

export const containerTypes: TypeDescriptions = {
  Container: {
    about: "A program that runs in a pod, from one image.",
    fields: {
      args: "Arguments of the command. $(NAME) stands for an environment variable. Default: the image's.",
      command:
        "The command, run without a shell. $(NAME) stands for an environment variable. Default: the image's.",
      env: "Environment variables.",
      envFrom: "Config maps and secrets whose entries become environment variables.",
      image: "The image, as the container runtime names it.",
      imagePullPolicy: "When the image is pulled: Always, IfNotPresent or Never.",
      lifecycle: "What is done after the start and before the stop.",
      livenessProbe: "Restarts the container when it fails.",
      name: "Unique within the pod.",
      ports: "Ports that the container listens on. Others can be reached too.",
      readinessProbe: "Takes the pod out of its services while it fails.",
      resources: "Resources that the container needs and may use.",
      securityContext: "Security settings, before those of the pod.",
      startupProbe: "Holds the other probes back until it succeeds.",
      stdin: "Keeps standard input open.",
      stdinOnce: "Closes standard input when the first client leaves.",
      terminationMessagePath: "The file with the last words of the container.",
      terminationMessagePolicy: "Where last words come from: File or FallbackToLogsOnError.",
      tty: "Gives the container a terminal.",
      volumeDevices: "Block devices within the container.",
      volumeMounts: "Where the container has the pod's volumes.",
      workingDir: "Default: the image's.",
    },
  },
  EphemeralContainer: {
    about: "A container that is added to a running pod, to look into it.",
    fields: {
      args: "Arguments of the command.",
      command: "The command, run without a shell.",
      env: "Environment variables.",
      image: "The image, as the container runtime names it.",
      name: "Unique among all containers of the pod.",
      targetContainerName: "The container whose processes can be seen.",
    },
  },
  ContainerPort: {
    about: "A port that a container listens on.",
    fields: {
      containerPort: "The port, 1 to 65535.",
      hostIP: "The address of the node that hostPort is bound to.",
      hostPort: "The port of the node that leads here, if any.",
      name: "By which services can name the port.",
      protocol: "TCP, UDP or SCTP. Default: TCP.",
    },
  },
  EnvVar: {
    about: "An environment variable.",
    fields: {
      name: "Name of the variable.",
      value: "The value. $(NAME) stands for a variable that came before.",
      valueFrom: "Where the value comes from, when it is not given.",
    },
  },
  EnvVarSource: {
    about: "Where the value of an environment variable comes from.",
    fields: {
      configMapKeyRef: "An entry of a config map.",
      fieldRef: "A field of the pod.",
      resourceFieldRef: "A resource amount of the container.",
      secretKeyRef: "An entry of a secret.",
    },
  },
  ObjectFieldSelector: {
    about: "A field of the pod.",
    fields: {
      apiVersion: "The version that the path is of. Default: v1.",
      fieldPath: "The field, such as metadata.name or status.podIP.",
    },
  },
  ResourceFieldSelector: {
    about: "An amount of a resource of a container.",
  },
  ConfigMapKeySelector: {
    about: "One entry of a config map.",
    fields: {
      key: "The entry.",
      name: "The config map.",
      optional: "Whether it may be missing.",
    },
  },
  SecretKeySelector: {
    about: "One entry of a secret.",
    fields: {
      key: "The entry.",
      name: "The secret.",
      optional: "Whether it may be missing.",
    },
  },
  EnvFromSource: {
    about: "A config map or secret whose entries become environment variables.",
  },
  ConfigMapEnvSource: {
    about: "A config map whose entries become environment variables.",
  },
  SecretEnvSource: {
    about: "A secret whose entries become environment variables.",
  },
  ResourceRequirements: {
    about: "Amounts of resources that a container needs and may use.",
    fields: {
      limits: "The most that may be used.",
      requests: "What is set aside. Default: the limits.",
    },
  },
  VolumeMount: {
    about: "Where a container has a volume.",
    fields: {
      mountPath: "Where the volume is in the container.",
      mountPropagation: "How mounts pass between node and container.",
      name: "The volume.",
      readOnly: "Whether it cannot be written.",
      subPath: "The path within the volume. Default: its root.",
      subPathExpr: "As subPath, with $(NAME) for environment variables.",
    },
  },
  VolumeDevice: {
    about: "A raw block device within a container.",
  },
  ContainerStatus: {
    about: "What was last observed of a container.",
    fields: {
      containerID: "Id of the container, with the runtime's name before it.",
      image: "The image that runs.",
      imageID: "Id of the image that runs.",
      lastState: "How the container last ended.",
      name: "Name of the container.",
      ready: "Whether it passes its readiness probe.",
      restartCount: "How often it was started again.",
      started: "Whether it passed its startup probe.",
      state: "What it does now.",
    },
  },
  ContainerState: {
    about: "Whether a container waits, runs or has ended; exactly one is set.",
  },
  ContainerStateWaiting: {
    about: "A container that does not run yet, and why.",
  },
  ContainerStateRunning: {
    about: "A container that runs.",
  },
  ContainerStateTerminated: {
    about: "A container that has ended, and how.",
  },
};

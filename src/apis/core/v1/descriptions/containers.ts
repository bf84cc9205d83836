import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const optionalKey = "Whether the container may start without the object or the entry. Default: false.";
const optionalObject = "Whether the container may start without the object. Default: false.";

const args =
  "Arguments, passed without a shell. $(NAME) stands for an environment variable, $$(NAME) for itself. Default: the image's CMD.";
const command =
  "Program and first arguments, run without a shell. $(NAME) stands for an environment variable. Default: the image's ENTRYPOINT.";
const common = {
  args,
  command,
  env: "Environment variables; they replace those of the same name from envFrom. Cannot be changed.",
  envFrom:
    "Config maps and secrets whose entries all become environment variables; of equal names the last counts.",
  image: "Image to run, such as registry/name:tag. May be changed, which restarts the container.",
  imagePullPolicy:
    "When the image is pulled: Always, IfNotPresent or Never. Default: Always for the tag latest or none, else IfNotPresent.",
  stdin: "Keeps standard input open, so that clients can attach to it. Default: false, which reads as ended.",
  stdinOnce: "Closes standard input for good when the first attached client leaves. Default: false.",
  terminationMessagePath:
    "File whose content becomes the message of the ended container, up to 4096 bytes. Default: /dev/termination-log.",
  terminationMessagePolicy:
    "File reads only terminationMessagePath; FallbackToLogsOnError takes the end of the log if that is empty after a failure. Default: File.",
  tty: "Runs the program in a terminal; needs stdin. Default: false.",
  volumeDevices: "Raw block volumes of the pod, and the device paths where the container finds them.",
  volumeMounts: "Volumes of the pod, and the paths where the container finds them.",
  workingDir: "Directory that the program starts in. Default: the image's.",
};

const unsupported = "Not allowed for ephemeral containers.";

export const containerDescriptions: TypeDescriptions = {
  Container: {
    about: "A program that runs in a pod, from one image.",
    fields: {
      ...common,
      lifecycle: "Actions after the start and before the stop of the container.",
      livenessProbe: "Check of a running container, which is restarted when it fails.",
      name: "Name of the container as a DNS label, unique in the pod. Cannot be changed.",
      ports:
        "Ports that the container listens on, mostly for information: others can be reached too. Cannot be changed.",
      readinessProbe:
        "Check whether the container can take requests; services leave the pod out while it fails.",
      resources:
        "CPU, memory and other resources that the container asks for and may use. Cannot be changed.",
      securityContext: "Rights that the program has on the node. Default: as the pod's securityContext says.",
      startupProbe:
        "Check that must succeed once before the other probes begin; failure restarts the container.",
      resizePolicy: "What a change of each resource does to the running container.",
      restartPolicy:
        "When this container is restarted. Always makes an init container run beside the others.",
      restartPolicyRules:
        "Rules for restarts after an exit; the first that fits decides instead of restartPolicy.",
    },
  },
  EphemeralContainer: {
    about:
      "A container added to a running pod to look into it. It is never restarted, and is not guaranteed resources.",
    fields: {
      ...common,
      lifecycle: unsupported,
      livenessProbe: unsupported,
      name: "Name of the container as a DNS label, unique among all containers of the pod.",
      ports: unsupported,
      readinessProbe: unsupported,
      resources: "Not allowed for ephemeral containers, which use what the pod has to spare.",
      securityContext: "Rights that the program has on the node. Default: as the pod's securityContext says.",
      startupProbe: unsupported,
      targetContainerName:
        "Container whose processes the ephemeral one sees, if the runtime can do that. Default: those of the pod.",
      resizePolicy: "Not allowed for ephemeral containers.",
      restartPolicy: "Not allowed for ephemeral containers.",
      restartPolicyRules: "Not allowed for ephemeral containers.",
    },
  },
  ContainerPort: {
    about: "A port that a container listens on.",
    fields: {
      containerPort: "Number of the port in the pod, 1 to 65535.",
      hostIP: "Address of the node that hostPort is bound to. Default: all addresses.",
      hostPort:
        "Port of the node that leads here, 1 to 65535. With hostNetwork it must equal containerPort. Default: none.",
      name: "Name that services and probes can use, unique in the pod: up to 15 of a-z, 0-9 and '-', with a letter.",
      protocol: "TCP, UDP or SCTP. Default: TCP.",
    },
  },
  EnvVar: {
    about: "An environment variable of a container.",
    fields: {
      name: "Name of the variable: letters, digits, '_', '-' and '.', not beginning with a digit.",
      value:
        "Text, in which $(NAME) stands for a variable defined before and $$ for $; unknown names stay. Default: empty.",
      valueFrom: "Source of the value; only when value is empty.",
    },
  },
  EnvVarSource: {
    about: "Where the value of an environment variable comes from; exactly one is set.",
    fields: {
      configMapKeyRef: "An entry of a config map in the pod's namespace.",
      fieldRef:
        "A field of the pod: name, namespace, uid, a label or annotation, node name, service account or an address.",
      resourceFieldRef: "A limit or request of a container, for CPU, memory or ephemeral storage.",
      secretKeyRef: "An entry of a secret in the pod's namespace.",
      fileKeyRef: "A variable in a file of a volume of the pod.",
    },
  },
  ObjectFieldSelector: {
    about: "Selects a field of the pod.",
    fields: {
      apiVersion: "API version that the path is written for. Default: v1.",
      fieldPath: "Path of the field, such as metadata.name or metadata.labels['app'].",
    },
  },
  ResourceFieldSelector: {
    about: "Selects a resource amount of a container.",
    fields: {
      containerName:
        "Container that the amount is of. Required in volumes; default in variables: the container itself.",
      divisor: "Unit in which the amount is told, rounded up, such as 1m or 1Mi. Default: 1.",
      resource:
        "Amount to tell, such as limits.cpu or requests.memory. Without a limit, the node's capacity counts.",
    },
  },
  ConfigMapKeySelector: {
    about: "Selects one entry of a config map.",
    fields: { key: "Key of the entry.", name: "Config map in the same namespace.", optional: optionalKey },
  },
  SecretKeySelector: {
    about: "Selects one entry of a secret.",
    fields: { key: "Key of the entry.", name: "Secret in the same namespace.", optional: optionalKey },
  },
  EnvFromSource: {
    about: "A config map or secret whose entries become environment variables; exactly one is set.",
    fields: {
      configMapRef: "Config map whose entries are taken; keys that are no names of variables are skipped.",
      prefix: "Put before each key to make the variable's name. Default: nothing.",
      secretRef: "Secret whose entries are taken; keys that are no names of variables are skipped.",
    },
  },
  ConfigMapEnvSource: {
    about: "A config map whose entries become environment variables.",
    fields: { name: "Config map in the same namespace.", optional: optionalObject },
  },
  SecretEnvSource: {
    about: "A secret whose entries become environment variables.",
    fields: { name: "Secret in the same namespace.", optional: optionalObject },
  },
  ResourceRequirements: {
    about: "Amounts of resources that are needed and that may be used.",
    fields: {
      limits:
        "Most of each resource that may be used; a container beyond it is slowed down (CPU) or killed (memory). Default: no limit.",
      requests:
        "Amount of each resource that is set aside for a container, or least size of a claim. At most the limit, which is the default.",
      claims: "Names of the pod's claims whose devices the container uses. Cannot be changed.",
    },
  },
  VolumeMount: {
    about: "Where a container finds a volume of the pod.",
    fields: {
      mountPath: "Path in the container, unique among its mounts; must not contain ':'.",
      mountPropagation:
        "How later mounts show: None (not at all), HostToContainer, or Bidirectional, for privileged containers. Default: None.",
      name: "Volume of the pod, by name.",
      readOnly: "Whether the container cannot write to the volume. Default: false.",
      subPath: "Relative path in the volume that is mounted instead of its root; must not contain '..'.",
      subPathExpr:
        "As subPath, with $(NAME) replaced by the container's environment variables. Excludes subPath.",
      recursiveReadOnly:
        "Whether mounts below a read-only one are read-only too: Disabled, IfPossible or Enabled. Default: Disabled.",
    },
  },
  VolumeDevice: {
    about: "Where a container finds a raw block volume of the pod.",
    fields: {
      devicePath: "Path of the device in the container; must not contain '..'.",
      name: "Volume of the pod, by name; it must be a claim of the mode Block.",
    },
  },
  ContainerStatus: {
    about: "What the node's agent last reported of a container.",
    fields: {
      containerID: "Id of the container at its runtime, as RUNTIME://ID. Empty before it is made.",
      image: "Image that the container runs, which the runtime may spell otherwise than the spec.",
      imageID: "Id of the image, usually with its digest.",
      lastState: "How the container's run before the present one ended.",
      name: "Container of the spec, by name.",
      ready: "Whether the container passes its readiness probe, or has none and runs.",
      restartCount: "How often the container was restarted, as far as ended containers are still kept.",
      started: "Whether the startup probe has succeeded, or there is none and the container runs.",
      state: "Whether the container waits, runs or has ended.",
      allocatedResources: "Resources that the node has set aside for the container.",
      resources: "Resources that are in effect for the running container.",
      volumeMounts: "How volumes are mounted in the container.",
      user: "The identity that the first process of the container started with.",
      allocatedResourcesStatus: "Health of the devices that the container has.",
      stopSignal: "Signal that stops the container.",
    },
  },
  ContainerState: {
    about: "Whether a container waits, runs or has ended; at most one is set, waiting when none is.",
    fields: {
      running: "Set while the container runs.",
      terminated: "Set once the container has ended.",
      waiting: "Set until the container runs.",
    },
  },
  ContainerStateWaiting: {
    about: "A container that does not run yet, and why.",
    fields: {
      message: "Details of the reason, for people.",
      reason: "Why the container does not run yet, in one word, such as ImagePullBackOff.",
    },
  },
  ContainerStateRunning: {
    about: "A container that runs.",
    fields: { startedAt: "When the container was last started or restarted." },
  },
  ContainerStateTerminated: {
    about: "A container that has ended, and how.",
    fields: {
      containerID: "Id of the ended container, as RUNTIME://ID.",
      exitCode: "Exit status of the program; 0 is success.",
      finishedAt: "When the program ended.",
      message: "Last words of the container, from terminationMessagePath or its log.",
      reason: "Why the container ended, in one word, such as Completed, Error or OOMKilled.",
      signal: "Number of the signal that ended the program, if one did.",
      startedAt: "When this run began.",
    },
  },
  ContainerResizePolicy: {
    about: "What a change of one resource does to a running container.",
    fields: {
      resourceName: "Name of the resource: cpu or memory.",
      restartPolicy:
        "NotRequired changes it in place, RestartContainer restarts the container. Default: NotRequired.",
    },
  },
  ContainerRestartRule: {
    about: "What happens after an exit of a container.",
    fields: {
      action: "What is done if the rule fits: Restart or RestartAllContainers.",
      exitCodes: "The exit codes that the rule is for.",
    },
  },
  ContainerRestartRuleOnExitCodes: {
    about: "A set of exit codes.",
    fields: {
      operator: "In for the codes in values, NotIn for all others.",
      values: "Exit codes, at most 255.",
    },
  },
  ContainerUser: {
    about: "The identity of a container's first process.",
    fields: {
      linux: "The identity on Linux.",
    },
  },
  FileKeySelector: {
    about: "A variable in an environment file of a volume.",
    fields: {
      volumeName: "Name of the volume that has the file.",
      path: "Path of the file within the volume, without ..",
      key: "Name of the variable in the file.",
      optional: "Whether the container may start without the file or the variable. Default: false.",
    },
  },
  LinuxContainerUser: {
    about: "A Linux user with its groups.",
    fields: {
      uid: "Number of the user.",
      gid: "Number of the primary group.",
      supplementalGroups: "Numbers of the other groups.",
    },
  },
  ResourceClaim: {
    about: "A claim of the pod that a container uses.",
    fields: {
      name: "Name of the claim in the pod's resourceClaims.",
      request: "Name of one request of the claim. Default: all of them.",
    },
  },
  ResourceHealth: {
    about: "Health of one device.",
    fields: {
      resourceID: "Identifies the device.",
      health: "Healthy, Unhealthy or Unknown. Unset: Healthy.",
      message: "Details for people.",
    },
  },
  ResourceStatus: {
    about: "Health of the devices of one resource.",
    fields: {
      name: "Name of the resource, or claim:NAME/REQUEST for a claim.",
      resources: "The devices, each by its identifier.",
    },
  },
  VolumeMountStatus: {
    about: "How a volume is mounted.",
    fields: {
      name: "Name of the volume.",
      mountPath: "Path within the container.",
      readOnly: "Whether the container can only read it.",
      recursiveReadOnly: "Whether mounts below are read-only too.",
      volumeStatus: "What is known of the volume itself.",
    },
  },
  VolumeStatus: {
    about: "What is known of a mounted volume.",
    fields: {
      image: "The image of an image volume.",
    },
  },
};

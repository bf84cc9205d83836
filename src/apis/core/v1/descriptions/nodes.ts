import { conditionFields } from "../../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const coreNodeDescriptions: TypeDescriptions = {
  Node: {
    about: "A machine that runs pods.",
    fields: {
      spec: "Settings of the node, such as its taints.",
      status: "Conditions, addresses and resources of the node. Written by its agent, mostly.",
    },
  },
  NodeSpec: {
    about: "Settings of a node.",
    fields: {
      configSource: "Deprecated and without effect: a config map with settings of the node's agent.",
      externalID: "Deprecated and not used.",
      podCIDR: "Range of addresses for the node's pods. Cannot be changed once set.",
      podCIDRs:
        "Ranges of addresses for the node's pods, at most one of each family. The first equals podCIDR.",
      providerID: "Id of the machine at its cloud provider, as PROVIDER://ID. Cannot be changed once set.",
      taints: "Taints, which keep pods away that do not tolerate them.",
      unschedulable: "Whether no new pods are scheduled here; running ones stay. Default: false.",
    },
  },
  NodeStatus: {
    about: "What a node's agent last reported.",
    fields: {
      addresses: "Addresses and names of the node. Not unique: two nodes may share one.",
      allocatable:
        "Resources that pods can have: the capacity without what the system keeps. Default: the capacity.",
      capacity: "All resources of the machine, such as cpu, memory, ephemeral-storage and pods.",
      conditions:
        "State of the node by aspect: Ready, MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable.",
      config: "Deprecated: which settings from configSource the node's agent uses.",
      daemonEndpoints: "Where the node's agent listens.",
      images: "Images on the node. The agent may list only the largest ones.",
      nodeInfo: "What machine and software the node has; for information only.",
      phase: "Deprecated and never set; see conditions.",
      volumesAttached: "Volumes attached at present, with their devices. Written by the attach controller.",
      volumesInUse: "Attachable volumes that pods of the node use; they must not be detached yet.",
      runtimeHandlers: "Container runtimes of the node, and what they can do.",
      features: "What the container runtime of the node can do.",
      declaredFeatures: "Names of features that the node's agent has.",
    },
  },
  NodeCondition: {
    fields: {
      ...conditionFields,
      lastHeartbeatTime: "When the node's agent last updated the condition.",
      type: "Ready, or a trouble: MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable.",
    },
  },
  NodeAddress: {
    about: "An address or name of a node.",
    fields: {
      address: "The IP address or name.",
      type: "Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.",
    },
  },
  NodeSystemInfo: {
    about: "Ids of a node's machine, and versions of its software.",
    fields: {
      architecture: "Processor architecture, such as amd64 or arm64.",
      bootID: "Id that the machine gets at each boot.",
      containerRuntimeVersion: "Container runtime and its version, such as containerd://1.5.9.",
      kernelVersion: "Release of the kernel, as uname -r prints it.",
      machineID: "Id of the installed system, from /etc/machine-id; unique in the cluster.",
      nodeagentVersion: "Version of the node's agent.",
      operatingSystem: "Operating system: linux or windows.",
      orchProxyVersion: "Version of the service proxy on the node.",
      osImage: "Name and version of the distribution, from /etc/os-release.",
      systemUUID: "Id of the machine's hardware; machineID is the better id for a node.",
      swap: "Swap memory of the node.",
    },
  },
  NodeDaemonEndpoints: {
    about: "The ports of daemons on a node.",
    fields: { nodeagentEndpoint: "Where the node's agent listens for logs, exec and the like." },
  },
  DaemonEndpoint: {
    about: "The port of a daemon.",
    fields: { Port: "Number of the port." },
  },
  ContainerImage: {
    about: "A container image on a node.",
    fields: {
      names: "Names of the image, by tag and by digest.",
      sizeBytes: "Size of the image in bytes.",
    },
  },
  AttachedVolume: {
    about: "A volume that is attached to a node.",
    fields: {
      devicePath: "Path of the device on the node.",
      name: "Unique name of the volume, with its plugin's name in front.",
    },
  },
  NodeConfigSource: {
    about: "Deprecated: where the settings of a node's agent come from.",
    fields: { configMap: "Config map that holds the settings." },
  },
  ConfigMapNodeConfigSource: {
    about: "Deprecated: a config map that holds the settings of a node's agent.",
    fields: {
      name: "Name of the config map.",
      namespace: "Namespace of the config map.",
      nodeagentConfigKey: "Key of the entry that holds the settings.",
      resourceVersion: "State of the config map in use. Only in the node's status.",
      uid: "Uid of the config map in use. Only in the node's status.",
    },
  },
  NodeConfigStatus: {
    about: "Deprecated: which settings a node's agent uses.",
    fields: {
      active: "Settings in use: those assigned or, if these do not work, the last good ones.",
      assigned: "Settings that the agent will try to use.",
      error: "What is wrong with the assigned settings; empty when they are in use.",
      lastKnownGood: "Settings to fall back to. Empty: the agent's own.",
    },
  },
  NodeFeatures: {
    about: "Features of a node's container runtime.",
    fields: {
      supplementalGroupsPolicy: "Whether pods may choose supplementalGroupsPolicy.",
    },
  },
  NodeRuntimeHandler: {
    about: "A container runtime of a node.",
    fields: {
      name: "Name of the handler; empty for the default one.",
      features: "What it can do.",
    },
  },
  NodeRuntimeHandlerFeatures: {
    about: "What a container runtime can do.",
    fields: {
      recursiveReadOnlyMounts: "Whether mounts can be read-only recursively.",
      userNamespaces: "Whether pods can have user namespaces of their own.",
    },
  },
  NodeSwapStatus: {
    fields: {
      capacity: "Bytes of swap memory.",
    },
  },
};

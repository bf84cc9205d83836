import type { TypeDescriptions } from "./type-descriptions.js";

export const coreNodeTypes: TypeDescriptions = {
  Node: {
    about: "A machine that runs pods.",
  },
  NodeSpec: {
    fields: {
      podCIDR: "Addresses for the node's pods.",
      podCIDRs: "All ranges of addresses, the first of which is podCIDR.",
      providerID: "The machine's id at its provider.",
      taints: "What pods must tolerate to run here.",
      unschedulable: "Whether no new pods may come.",
    },
  },
  NodeStatus: {
    fields: {
      addresses: "Addresses of the node.",
      allocatable: "Resources for pods.",
      capacity: "Resources of the machine.",
      images: "Images on the node.",
      nodeInfo: "Names and versions of machine and software.",
      volumesAttached: "Volumes that are attached.",
      volumesInUse: "Volumes that are mounted.",
    },
  },
  NodeAddress: {
    about: "An address of a node.",
  },
  NodeSystemInfo: {
    about: "Names and versions of a node's machine and software.",
  },
  NodeDaemonEndpoints: {
    about: "The ports of daemons on a node.",
  },
  DaemonEndpoint: {
    about: "The port of a daemon.",
  },
  ContainerImage: {
    about: "A container image on a node.",
  },
  AttachedVolume: {
    about: "A volume that is attached to a node.",
  },
  NodeConfigSource: {
    about: "Where the configuration of a node agent comes from.",
  },
  ConfigMapNodeConfigSource: {
    about: "A config map that holds the configuration of a node agent.",
  },
  NodeConfigStatus: {
    about: "Which configuration a node agent uses.",
  },
};

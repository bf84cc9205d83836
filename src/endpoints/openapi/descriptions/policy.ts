import type { TypeDescriptions } from "./type-descriptions.js";

export const policyTypes: TypeDescriptions = {
  PodDisruptionBudget: {
    about: "How many pods of an application may be down at a time by intent.",
  },
  Eviction: {
    about: "Asks for a pod to be removed if its disruption budget allows it.",
  },
  PodSecurityPolicy: {
    about: "What pods may ask for. Deprecated.",
  },
  AllowedHostPath: {
    about: "A path prefix of the host that pods may mount.",
  },
  AllowedFlexVolume: {
    about: "A Flexvolume driver that pods may use.",
  },
  AllowedCSIDriver: {
    about: "A CSI driver that inline volumes may use.",
  },
  HostPortRange: {
    about: "A range of ports of the host.",
  },
  SELinuxStrategyOptions: {
    about: "Which SELinux labels pods may have.",
  },
  RunAsUserStrategyOptions: {
    about: "Which users containers may run as.",
  },
  RunAsGroupStrategyOptions: {
    about: "Which groups containers may run as.",
  },
  IDRange: {
    about: "A range of ids.",
  },
  FSGroupStrategyOptions: {
    about: "Which file system groups pods may have.",
  },
  SupplementalGroupsStrategyOptions: {
    about: "Which further groups pods may have.",
  },
  RuntimeClassStrategyOptions: {
    about: "Which runtime classes pods may have.",
  },
};

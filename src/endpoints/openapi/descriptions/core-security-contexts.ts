import type { TypeDescriptions } from "./type-descriptions.js";

export const securityContextTypes: TypeDescriptions = {
  PodSecurityContext: {
    about: "Security settings of a pod, and defaults for its containers.",
    fields: {
      fsGroup: "Group that owns volumes and that processes are members of.",
      fsGroupChangePolicy: "When owners of files in volumes are changed: Always or OnRootMismatch.",
      runAsGroup: "Group id of the processes.",
      runAsNonRoot: "Refuses to start as user 0.",
      runAsUser: "User id of the processes.",
      seLinuxOptions: "SELinux labels.",
      seccompProfile: "The seccomp profile.",
      supplementalGroups: "Further groups of the processes.",
      sysctls: "Kernel parameters.",
      windowsOptions: "Settings for Windows.",
    },
  },
  SecurityContext: {
    about: "Security settings of a container.",
    fields: {
      allowPrivilegeEscalation: "Whether a process can gain more rights than its parent.",
      capabilities: "Linux capabilities to add and drop.",
      privileged: "Runs with nearly all rights of the node.",
      procMount: "How /proc is mounted.",
      readOnlyRootFilesystem: "Whether the root file system cannot be written.",
      runAsGroup: "Group id of the process.",
      runAsNonRoot: "Refuses to start as user 0.",
      runAsUser: "User id of the process.",
      seLinuxOptions: "SELinux labels.",
      seccompProfile: "The seccomp profile.",
      windowsOptions: "Settings for Windows.",
    },
  },
  Capabilities: {
    about: "Linux capabilities to add and to drop.",
  },
  SELinuxOptions: {
    about: "SELinux labels.",
  },
  SeccompProfile: {
    about: "A seccomp profile.",
  },
  WindowsSecurityContextOptions: {
    about: "Security settings for Windows.",
  },
  Sysctl: {
    about: "A kernel parameter.",
  },
};

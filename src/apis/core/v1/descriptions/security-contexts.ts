import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const overPod = "A container's own setting comes first.";
const notOnWindows = "Not for Windows.";
const onlyWindows = "Only for Windows.";

const runAsGroup = "Group id that programs start with. Default: as the runtime says.";
const runAsNonRoot =
  "Refuses to start a program as user 0, which the node checks at run time. Default: false.";
const runAsUser = "User id that programs start with. Default: the image's.";

export const securityContextDescriptions: TypeDescriptions = {
  PodSecurityContext: {
    about: "Security settings of a pod, and defaults for its containers.",
    fields: {
      fsGroup: `Group that all programs are members of and that owns mounted volumes, where the type of volume allows. ${notOnWindows}`,
      fsGroupChangePolicy: `When files in volumes are given to fsGroup: Always on mounting, or OnRootMismatch, if the root directory differs. Default: Always. ${notOnWindows}`,
      runAsGroup: `${runAsGroup} ${overPod} ${notOnWindows}`,
      runAsNonRoot: `${runAsNonRoot} ${overPod}`,
      runAsUser: `${runAsUser} ${overPod} ${notOnWindows}`,
      seLinuxOptions: `SELinux label of all containers. Default: one chosen at random. ${overPod} ${notOnWindows}`,
      seccompProfile: `Filter on system calls of all containers. ${overPod} ${notOnWindows}`,
      supplementalGroups: `Further groups of the first process of each container. ${notOnWindows}`,
      sysctls: `Kernel parameters of the pod; the node may refuse unsafe ones. ${notOnWindows}`,
      windowsOptions: `Settings for Windows containers. ${overPod} ${onlyWindows}`,
      supplementalGroupsPolicy:
        "Whether groups that the image gives the user are added: Merge or Strict. Default: Merge.",
      appArmorProfile: "AppArmor profile of the containers that name none.",
      seLinuxChangePolicy: "How volumes get the SELinux label of the pod: Recursive or MountOption.",
    },
  },
  SecurityContext: {
    about: "Security settings of a container. They come before those of the pod.",
    fields: {
      allowPrivilegeEscalation: `Whether programs may acquire rights that their parent lacks, as by setuid; always so when privileged or with CAP_SYS_ADMIN. ${notOnWindows}`,
      capabilities: `Linux capabilities added to and dropped from the runtime's defaults. ${notOnWindows}`,
      privileged: `Runs with nearly all rights of root on the node. Default: false. ${notOnWindows}`,
      procMount: `How /proc is mounted: Default hides parts of it, Unmasked does not. Needs the feature gate ProcMountType. ${notOnWindows}`,
      readOnlyRootFilesystem: `Whether programs cannot write to the container's root file system. Default: false. ${notOnWindows}`,
      runAsGroup: `${runAsGroup} ${notOnWindows}`,
      runAsNonRoot,
      runAsUser: `${runAsUser} ${notOnWindows}`,
      seLinuxOptions: `SELinux label of the container. Default: one chosen at random. ${notOnWindows}`,
      seccompProfile: `Filter on system calls of the container. ${notOnWindows}`,
      windowsOptions: `Settings for a Windows container. ${onlyWindows}`,
      appArmorProfile: "AppArmor profile of the container, instead of the pod's.",
    },
  },
  Capabilities: {
    about: "Linux capabilities to add and to drop, such as NET_ADMIN; ALL is every one.",
    fields: {
      add: "Capabilities that the container gets beyond the runtime's defaults.",
      drop: "Capabilities that are taken from the container.",
    },
  },
  SELinuxOptions: {
    about: "The parts of an SELinux label.",
    fields: {
      level: "Level of the label, such as s0:c123,c456.",
      role: "Role of the label.",
      type: "Type of the label.",
      user: "User of the label.",
    },
  },
  SeccompProfile: {
    about: "Which filter on system calls is used.",
    fields: {
      localhostProfile:
        "File with the profile, relative to the node agent's seccomp directory. Required with, and only for, Localhost.",
      type: "RuntimeDefault, the container runtime's profile; Unconfined, no filter; or Localhost, a file of the node.",
    },
  },
  WindowsSecurityContextOptions: {
    about: "Security settings for Windows.",
    fields: {
      gmsaCredentialSpec:
        "Content of the credential spec that gmsaCredentialSpecName names; an admission webhook fills it in.",
      gmsaCredentialSpecName: "Name of the group managed service account's credential spec to run as.",
      hostProcess:
        "Runs as a process of the node. All containers of the pod must agree, and hostNetwork must be true. Default: false.",
      runAsUserName:
        "User that programs start as, optionally with a domain before a backslash. Default: the image's.",
    },
  },
  Sysctl: {
    about: "A kernel parameter.",
    fields: {
      name: "Name of the parameter, such as net.core.somaxconn.",
      value: "Value of the parameter, as text.",
    },
  },
  AppArmorProfile: {
    about: "Which AppArmor profile confines a process.",
    fields: {
      type: "Localhost for a profile on the node, RuntimeDefault for the runtime's, Unconfined for none.",
      localhostProfile:
        "Name of a profile that is loaded on the node; required by Localhost, and for it alone.",
    },
  },
};

import type { TypeDescriptions } from "./type-descriptions.js";

export const podTypes: TypeDescriptions = {
  PodSpec: {
    fields: {
      activeDeadlineSeconds: "Seconds from its start after which the pod is stopped.",
      affinity: "Where the pod wants to run.",
      automountServiceAccountToken: "Whether a token of the service account is mounted.",
      containers: "The containers, at least one. They cannot be added to or taken from later.",
      dnsConfig: "DNS settings, added to those of dnsPolicy.",
      dnsPolicy: "Where DNS settings come from: ClusterFirst, ClusterFirstWithHostNet, Default or None.",
      enableServiceLinks: "Whether services of the namespace are told in environment variables.",
      ephemeralContainers: "Containers added for looking into the pod, by way of their own subresource.",
      hostAliases: "Lines to add to the hosts file.",
      hostIPC: "Uses the IPC namespace of the node.",
      hostNetwork: "Uses the network of the node.",
      hostPID: "Uses the process namespace of the node.",
      hostname: "Host name, when it is not to be the pod's name.",
      imagePullSecrets: "Secrets for pulling the images.",
      initContainers: "Containers that run one after the other before the others start.",
      nodeName: "The node that runs the pod. Set by the scheduler.",
      nodeSelector: "Labels that the node must have.",
      os: "The operating system that the containers are for.",
      overhead: "Resources that the runtime needs besides. Set from the runtime class.",
      preemptionPolicy:
        "Whether less important pods may be ended to make room: Never or PreemptLowerPriority.",
      priority: "How important the pod is. Set from the priority class.",
      priorityClassName: "How important the pod is, by the name of a class.",
      readinessGates: "Further conditions that must be true for the pod to be ready.",
      restartPolicy: "Whether containers that end are started again: Always, OnFailure or Never.",
      runtimeClassName: "How containers are run, by the name of a class.",
      schedulerName: "Who chooses the node.",
      securityContext: "Security settings for all containers.",
      serviceAccount: "Deprecated, use serviceAccountName.",
      serviceAccountName: "The service account that the pod runs as.",
      setHostnameAsFQDN: "Whether the host name is the fully qualified one.",
      shareProcessNamespace: "Whether the containers see each other's processes.",
      subdomain: "Puts the host name under this domain of the namespace.",
      terminationGracePeriodSeconds: "Seconds between the request to stop and the kill.",
      tolerations: "Taints that the pod puts up with.",
      topologySpreadConstraints: "How evenly pods like this one spread.",
      volumes: "Directories that the containers can mount.",
    },
  },
  Pod: {
    about: "Containers that run together on one node.",
    fields: {
      spec: "What is wanted of the pod.",
      status: "What was last observed of the pod.",
    },
  },
  PodStatus: {
    fields: {
      containerStatuses: "State of each container.",
      ephemeralContainerStatuses: "State of each ephemeral container.",
      hostIP: "Address of the node.",
      initContainerStatuses: "State of each init container.",
      message: "Why the pod is in this state, for people.",
      nominatedNodeName: "The node on which room is being made for the pod.",
      phase: "Pending, Running, Succeeded, Failed or Unknown.",
      podIP: "Address of the pod.",
      podIPs: "All addresses of the pod, the first of which is podIP.",
      qosClass: "Guaranteed, Burstable or BestEffort, by requests and limits.",
      reason: "Why the pod is in this state, in one word.",
      startTime: "When the node took up the pod.",
    },
  },
  PodTemplate: {
    about: "A kept description of pods to make.",
  },
  PodTemplateSpec: {
    about: "What each new pod looks like.",
    fields: {
      spec: "What is wanted of the pods.",
    },
  },
  PodIP: {
    about: "An IP address of a pod.",
  },
  PodOS: {
    about: "The operating system of a pod.",
  },
  PodReadinessGate: {
    about: "A condition that counts for the pod's readiness.",
  },
  PodDNSConfig: {
    about: "DNS settings of a pod, added to those of its policy.",
  },
  PodDNSConfigOption: {
    about: "An option of the DNS resolver.",
  },
  HostAlias: {
    about: "A line of the pod's hosts file.",
  },
  Binding: {
    about: "Assigns one object to another: a pod to a node.",
  },
};

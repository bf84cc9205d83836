import { conditionFields } from "../../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const podDescriptions: TypeDescriptions = {
  Pod: {
    about: "Containers that run together on one node, sharing network and volumes.",
    fields: {
      spec: "How the pod is to run. After creation only images, activeDeadlineSeconds and further tolerations can be changed.",
      status: "What the pod's node last reported of it.",
    },
  },
  PodSpec: {
    about: "How a pod is to run: its containers, volumes, placement and security.",
    fields: {
      activeDeadlineSeconds:
        "Seconds after its start at which the pod is stopped and marked Failed. At least 1; may be set or lowered later.",
      affinity: "Rules on which nodes, and next to which other pods, the scheduler may place the pod.",
      automountServiceAccountToken:
        "Whether a token of the service account is mounted into the containers. Default: as the service account says, else true.",
      containers: "The containers, at least one. None can be added or removed later.",
      dnsConfig: "DNS settings that are merged with those of dnsPolicy; required with the policy None.",
      dnsPolicy:
        "Where DNS settings come from: ClusterFirst, ClusterFirstWithHostNet (with hostNetwork), Default (the node's) or None. Default: ClusterFirst.",
      enableServiceLinks:
        "Whether addresses of the namespace's services are put into environment variables. Default: true.",
      ephemeralContainers:
        "Temporary containers for debugging. Cannot be set here, only added to a running pod through the ephemeralcontainers subresource.",
      hostAliases: "Entries added to the containers' /etc/hosts. Not for pods with hostNetwork.",
      hostIPC: "Uses the node's IPC namespace. Default: false.",
      hostNetwork:
        "Uses the node's network; every container port is then a port of the node. Default: false.",
      hostPID: "Uses the node's process namespace. Default: false.",
      hostname: "Host name of the pod, as a DNS label. Default: the pod's name.",
      imagePullSecrets: "Secrets in the same namespace with registry credentials for pulling the images.",
      initContainers:
        "Containers that run to completion one after the other before the others start. A failure restarts or fails the pod, by restartPolicy.",
      nodeName:
        "Node that runs the pod. Normally set by the scheduler; when given, no scheduling takes place.",
      nodeSelector: "Labels that a node must have, with these values, to run the pod.",
      os: "Operating system that the containers are made for; fields that do not apply to it must be unset. Needs the feature gate IdentifyPodOS.",
      overhead:
        "Resources that running the pod takes besides its containers'. Filled in from the runtime class; must not differ from it.",
      preemptionPolicy:
        "Whether pods of lower priority may be evicted to make room: PreemptLowerPriority or Never. Default: PreemptLowerPriority.",
      priority:
        "Importance as a number, higher is more. Filled in from priorityClassName; must not differ from it.",
      priorityClassName:
        "Priority class that gives the pod its priority. Default: the class marked as global default, else priority 0.",
      readinessGates: "Further conditions of the pod that must be True before it counts as ready.",
      restartPolicy:
        "When ended containers are started again: Always, OnFailure or Never. Default: Always. Cannot be changed.",
      runtimeClassName:
        "Runtime class whose container runtime runs the pod. Default: the node's own runtime.",
      schedulerName: "Scheduler that chooses the node. Default: the cluster's standard scheduler.",
      securityContext:
        "Rights that all programs of the pod have. Containers may have others by settings of their own.",
      serviceAccount: "Deprecated copy of serviceAccountName, which replaces it.",
      serviceAccountName:
        "Service account whose identity the pod's programs use. Default: the one named default.",
      setHostnameAsFQDN:
        "Whether the kernel's host name is the fully qualified name, which may have 64 characters at most. Default: false.",
      shareProcessNamespace:
        "Whether all containers see each other's processes. Excludes hostPID. Default: false.",
      subdomain:
        "Makes the fully qualified name hostname.subdomain.namespace.svc.DOMAIN. Default: no such name.",
      terminationGracePeriodSeconds:
        "Seconds between the request to stop and the kill; 0 kills at once. Default: 30.",
      tolerations: "Taints of nodes that do not keep the pod away. More may be added later.",
      topologySpreadConstraints:
        "How evenly matching pods are spread over zones, nodes and the like. All must be met.",
      volumes: "Volumes that containers of the pod can mount. Names must be unique.",
      hostUsers:
        "Whether the pod shares the node's user namespace. False gives it one of its own. Default: true.",
      schedulingGates:
        "While the list has entries the pod is not scheduled. They may only be set at creation, and removed later.",
      resourceClaims: "Claims of devices that containers may use by name. Cannot be changed.",
      resources: "Resources that the containers of the pod have together.",
      hostnameOverride: "Host name of the pod, which may have dots, instead of what other fields give it.",
      schedulingGroup: "The group of pods that this one is scheduled with.",
      workloadRef: "The workload and the group of it that this pod is scheduled with.",
    },
  },
  PodStatus: {
    about: "What is known of a running pod. Written by the node's agent, so it may lag behind.",
    fields: {
      conditions: "State of the pod by aspect: PodScheduled, Initialized, ContainersReady, Ready.",
      containerStatuses: "State of each of the containers.",
      ephemeralContainerStatuses: "State of each ephemeral container that was added.",
      hostIP: "Address of the pod's node. Empty until the pod is scheduled.",
      initContainerStatuses: "State of each init container; the last one that started is the latest.",
      message: "Why the pod is in its phase, for people.",
      nominatedNodeName:
        "Node on which lower pods are being evicted for this one; it may still land elsewhere.",
      phase:
        "Pending before containers run, Running, Succeeded or Failed when all have ended, Unknown when the node is out of reach.",
      podIP: "Address of the pod, reachable from within the cluster. Empty until it is allocated.",
      podIPs: "All addresses of the pod, at most one of each family. The first equals podIP.",
      qosClass:
        "Class for evictions, from requests and limits: Guaranteed (all equal), Burstable (some set) or BestEffort (none set).",
      reason: "Why the pod is in its phase, in one word, such as Evicted.",
      startTime: "When the node's agent accepted the pod, before any image was pulled.",
      observedGeneration: "The metadata.generation of the pod that the status was written for.",
      hostIPs: "Addresses of the node, one of each family. The first equals hostIP.",
      resize: "How far a change of resources has come: Proposed, InProgress, Deferred or Infeasible.",
      resourceClaimStatuses: "The claims that were made from templates for this pod.",
      extendedResourceClaimStatus: "The claim that stands for extended resources which devices provide.",
      allocatedResources: "Resources of the whole pod that the node has set aside.",
      resources: "Resources of the whole pod that are in effect.",
      nodeAllocatableResourceClaimStatuses: "What claims take of the resources that the node can allocate.",
    },
  },
  PodCondition: {
    fields: {
      ...conditionFields,
      lastProbeTime: "When the condition was last checked. Usually null.",
      type: "PodScheduled, Initialized, ContainersReady, Ready, or the name of a readiness gate.",
      observedGeneration: "The metadata.generation of the pod that the condition was set for.",
    },
  },
  PodTemplate: {
    about: "A stored description of pods to make, for controllers that refer to it.",
    fields: { template: "What each pod made from it looks like." },
  },
  PodTemplateSpec: {
    about: "What each pod that a controller makes looks like.",
    fields: {
      metadata: "Labels and annotations that the pods get. The labels must match the controller's selector.",
      spec: "How each pod is to run.",
    },
  },
  PodIP: {
    about: "An IP address of a pod.",
    fields: { ip: "IPv4 or IPv6 address." },
  },
  PodOS: {
    about: "The operating system of a pod.",
    fields: { name: "Operating system of the pod's containers: linux or windows." },
  },
  PodReadinessGate: {
    about: "A condition that counts for the pod's readiness.",
    fields: {
      conditionType: "Type of a condition in the pod's status; while absent it counts as False.",
    },
  },
  PodDNSConfig: {
    about: "DNS settings of a pod, added to those of its policy.",
    fields: {
      nameservers: "Addresses of DNS servers, put after those of the policy. At most 3.",
      options: "Resolver options. One given here replaces the policy's option of the same name.",
      searches:
        "Domains in which short names are looked up, put after those of the policy. At most 6, with the feature gate ExpandedDNSConfig 32.",
    },
  },
  PodDNSConfigOption: {
    about: "An option of the DNS resolver.",
    fields: {
      name: "Option as in resolv.conf, such as ndots. Required.",
      value: "What the option is set to. Left out for an option that is only a name.",
    },
  },
  HostAlias: {
    about: "A line of the pod's hosts file.",
    fields: {
      hostnames: "Names that lead to the address.",
      ip: "Address that the line is for.",
    },
  },
  Binding: {
    about: "Assigns one object to another: a pod to a node. The scheduler creates it.",
    fields: { target: "Node that is to run the pod; its kind may be left out." },
  },
  ClaimSource: {
    about: "Where a claim of the pod comes from; one of the two is set.",
    fields: {
      resourceClaimName: "Name of a claim in the pod's namespace.",
      resourceClaimTemplateName: "Name of a template, of which a claim is made for the pod.",
    },
  },
  ContainerExtendedResourceRequest: {
    about: "Which request of a claim stands for an extended resource of a container.",
    fields: {
      containerName: "Name of the container.",
      resourceName: "Name of the extended resource.",
      requestName: "Name of the request in the claim.",
    },
  },
  HostIP: {
    about: "An address of the node.",
    fields: {
      ip: "The address.",
    },
  },
  NodeAllocatableResourceClaimStatus: {
    fields: {
      resourceClaimName: "Name of the claim.",
      containers: "Names of the containers that use the claim.",
      resources: "Amounts that the claim takes, by resource.",
    },
  },
  PodExtendedResourceClaimStatus: {
    fields: {
      requestMappings: "Which request stands for which extended resource of which container.",
      resourceClaimName: "Name of the claim that was made for the pod.",
    },
  },
  PodResourceClaim: {
    about: "A claim of devices, under the name that containers use.",
    fields: {
      name: "Name of the entry as a DNS label, unique in the pod.",
      resourceClaimName:
        "Name of a claim in the pod's namespace. Either this or resourceClaimTemplateName is set.",
      resourceClaimTemplateName:
        "Name of a template, of which a claim is made for the pod and deleted with it.",
      source: "Where the claim comes from.",
    },
  },
  PodResourceClaimStatus: {
    fields: {
      name: "Name of the entry in spec.resourceClaims.",
      resourceClaimName: "Name of the claim that was made; unset if none was needed.",
    },
  },
  PodSchedulingGate: {
    about: "A reason to leave the pod unscheduled for now.",
    fields: {
      name: "Name of the gate, unique in the pod.",
    },
  },
  PodSchedulingGroup: {
    about: "A group of pods that are scheduled together.",
    fields: {
      podGroupName: "Name of the pod group in the same namespace.",
    },
  },
  WorkloadReference: {
    about: "A pod's place in a workload.",
    fields: {
      name: "Name of the workload in the same namespace.",
      podGroup: "Name of the group in the workload.",
      podGroupReplicaKey: "Which replica of the group the pod belongs to, if there are several.",
    },
  },
};

import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

/** Descriptions shared by the controllers of pods. */
const minReadySeconds =
  "Seconds that a new pod must stay ready, without a crash, to count as available. Default: 0.";
const replicas = "How many pods to run; 0 is allowed. Default: 1.";
const revisionHistoryLimit = "How many old revisions to keep for rolling back; 0 keeps none. Default: 10.";
const selector =
  "Which pods belong to it. Must match the template's labels and must not overlap other controllers; cannot be changed.";

const availableReplicas = "Pods that have been ready for at least minReadySeconds.";
const readyReplicas = "Pods that are ready to take requests.";
const collisionCount =
  "How often a generated name was taken already. Goes into the next name, so that it differs.";
const observedGeneration =
  "The metadata.generation that the controller has acted on; a lower one means it lags.";

export const appsV1Descriptions: TypeDescriptions = {
  StatefulSet: {
    about: "Runs pods with lasting names and storage of their own.",
    fields: {
      spec: "Pods and claims to keep. Only replicas, template, updateStrategy, minReadySeconds and the claims' retention policy can be changed.",
      status: "How many pods there are, are ready, and are of which revision.",
    },
  },
  StatefulSetUpdateStrategy: {
    about: "How the pods of a stateful set are replaced.",
    fields: {
      rollingUpdate: "Settings of a rolling update; not allowed with OnDelete.",
      type: "RollingUpdate replaces pods from the highest ordinal down; OnDelete waits until you delete them. Default: RollingUpdate.",
    },
  },
  RollingUpdateStatefulSetStrategy: {
    about: "Which pods of a stateful set are updated.",
    fields: {
      partition: "Only pods with this ordinal or a higher one are updated. Default: 0, which is all.",
      maxUnavailable:
        "How many pods may be unavailable during an update: a number, or a percentage of the replicas, rounded up. Default: 1.",
    },
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    about: "When the claims of a stateful set are deleted.",
    fields: {
      whenDeleted:
        "What becomes of the claims when the stateful set is deleted: Retain or Delete. Default: Retain.",
      whenScaled:
        "What becomes of the claims of pods that scaling down removes: Retain or Delete. Default: Retain.",
    },
  },
  StatefulSetSpec: {
    about: "Which pods and claims a stateful set keeps. Most fields are fixed once it is created.",
    fields: {
      minReadySeconds,
      persistentVolumeClaimRetentionPolicy:
        "When claims made from volumeClaimTemplates are deleted. Needs the feature gate StatefulSetAutoDeletePVC.",
      podManagementPolicy:
        "OrderedReady starts pods one after the other and stops them in reverse; Parallel does all at once. Default: OrderedReady. Cannot be changed.",
      replicas,
      revisionHistoryLimit: `${revisionHistoryLimit} Cannot be changed.`,
      selector,
      serviceName:
        "Headless service under which each pod gets a DNS name. You create it yourself; cannot be changed.",
      template: "What each pod is made from, besides its name and claims. The restart policy must be Always.",
      updateStrategy: "How pods are replaced after a change of the template.",
      volumeClaimTemplates:
        "For each of these every pod gets a claim of its own, which outlives the pod. Cannot be changed.",
      ordinals: "How the numbers of the pods begin.",
    },
  },
  StatefulSetStatus: {
    fields: {
      availableReplicas,
      collisionCount,
      conditions: "Aspects of the present state; none is defined yet.",
      currentReplicas: "Pods that are still of currentRevision.",
      currentRevision: "Name of the controller revision of pods that are not updated yet.",
      observedGeneration,
      readyReplicas,
      replicas: "Pods that exist, of all revisions.",
      updateRevision: "Name of the controller revision that pods are updated to.",
      updatedReplicas: "Pods that are of updateRevision already.",
    },
  },
  StatefulSetCondition: {
    fields: { ...conditionFields, type: "Name of the condition; none is defined yet for this kind." },
  },
  Deployment: {
    about: "Keeps a number of interchangeable pods running and rolls out changes to them.",
    fields: {
      spec: "Pods to keep, and how changes are rolled out. Everything but selector can be changed.",
      status: "How many pods there are, are ready and are updated.",
    },
  },
  DeploymentSpec: {
    about: "Which pods a deployment keeps, and how it gets from one template to the next.",
    fields: {
      minReadySeconds,
      paused: "While true, changes of the template start no rollout; scaling still works.",
      progressDeadlineSeconds:
        "Seconds without progress after which a rollout is reported as failed. More than minReadySeconds; default: 600.",
      replicas,
      revisionHistoryLimit: "How many old replica sets to keep for rolling back; 0 keeps none. Default: 10.",
      selector,
      strategy: "How old pods give way to new ones.",
      template: "What each pod is made from; a change starts a rollout. The restart policy must be Always.",
    },
  },
  DeploymentStrategy: {
    about: "How the pods of a deployment are replaced.",
    fields: {
      rollingUpdate: "Settings of a rolling update; not allowed with Recreate.",
      type: "RollingUpdate replaces pods bit by bit; Recreate first stops all old ones. Default: RollingUpdate.",
    },
  },
  RollingUpdateDeployment: {
    about: "How many pods may be missing or surplus during an update.",
    fields: {
      maxSurge:
        "Pods that may exist beyond replicas, as a number or a percentage of them, rounded up. Default: 25%.",
      maxUnavailable:
        "Pods that may be unavailable, as a number or a percentage rounded down; not 0 if maxSurge is 0. Default: 25%.",
    },
  },
  DeploymentStatus: {
    fields: {
      availableReplicas,
      collisionCount,
      conditions: "Whether the deployment is available, makes progress, or fails to create pods.",
      observedGeneration,
      readyReplicas,
      replicas: "Pods that exist, of the present template and of older ones.",
      unavailableReplicas: "Pods that are missing, or there but not available yet.",
      updatedReplicas: "Pods of the present template.",
      terminatingReplicas: "How many pods are being deleted.",
    },
  },
  DeploymentCondition: {
    fields: {
      ...conditionFields,
      lastUpdateTime: "When the controller last wrote this condition.",
      type: "Available, Progressing or ReplicaFailure.",
    },
  },
  DaemonSetUpdateStrategy: {
    about: "How the pods of a daemon set are replaced.",
    fields: {
      rollingUpdate: "Settings of a rolling update; used with RollingUpdate only.",
      type: "RollingUpdate replaces pods some nodes at a time; OnDelete waits until you delete them. Default: RollingUpdate.",
    },
  },
  RollingUpdateDaemonSet: {
    about: "How many nodes may be without their pod, or have two, during an update.",
    fields: {
      maxSurge:
        "Nodes that may run the old and the new pod together, as a number or percentage. Default: 0; else maxUnavailable must be 0.",
      maxUnavailable:
        "Nodes that may be without an available pod, as a number or percentage; not 0 if maxSurge is 0. Default: 1.",
    },
  },
  DaemonSetSpec: {
    about: "Which pod a daemon set runs, and how it is replaced.",
    fields: {
      minReadySeconds,
      revisionHistoryLimit,
      selector,
      template:
        "What each pod is made from; its node selector, affinity and tolerations choose the nodes. The restart policy must be Always.",
      updateStrategy: "How pods are replaced after a change of the template.",
    },
  },
  DaemonSetStatus: {
    about: "On how many nodes a daemon set's pods run, should run and should not.",
    fields: {
      collisionCount,
      conditions: "Aspects of the present state; none is defined yet.",
      currentNumberScheduled: "Nodes that should run the pod and have at least one.",
      desiredNumberScheduled: "Nodes that should run the pod.",
      numberAvailable:
        "Nodes that should run the pod and have one that was ready for at least minReadySeconds.",
      numberMisscheduled: "Nodes that run the pod although they should not.",
      numberReady: "Nodes that should run the pod and have a ready one.",
      numberUnavailable: "Nodes that should run the pod and have no available one.",
      observedGeneration,
      updatedNumberScheduled: "Nodes whose pod is of the present template.",
    },
  },
  DaemonSetCondition: {
    fields: { ...conditionFields, type: "Name of the condition; none is defined yet for this kind." },
  },
  DaemonSet: {
    about: "Runs a copy of a pod on every node, or on some.",
    fields: {
      spec: "Pod to run on each node, and how it is replaced. Everything but selector can be changed.",
      status: "On how many nodes the pod runs, is ready and is updated.",
    },
  },
  ReplicaSet: {
    about: "Keeps a number of interchangeable pods running. Usually made by a deployment.",
    fields: {
      spec: "Pods to keep, and how many. Everything but selector can be changed.",
      status: "How many pods there are and are ready.",
    },
  },
  ReplicaSetSpec: {
    about: "Which pods a replica set keeps, and how many.",
    fields: {
      minReadySeconds,
      replicas,
      selector,
      template:
        "What each new pod is made from; a change leaves existing pods as they are. The restart policy must be Always.",
    },
  },
  ReplicaSetStatus: {
    fields: {
      availableReplicas,
      conditions: "Whether the replica set fails to create or delete pods.",
      fullyLabeledReplicas: "Pods that carry all labels of the template.",
      observedGeneration,
      readyReplicas,
      replicas: "Pods that exist, ready or not.",
      terminatingReplicas: "How many pods are being deleted.",
    },
  },
  ReplicaSetCondition: {
    fields: { ...conditionFields, type: "ReplicaFailure: a pod could not be created or deleted." },
  },
  ControllerRevision: {
    about: "A kept snapshot of a controller's template, for rolling back.",
    fields: {
      data: "The snapshot, in the form its controller chose. Cannot be changed.",
      revision: "Number of the snapshot among those of its controller; a newer one has a higher number.",
    },
  },
  StatefulSetOrdinals: {
    about: "How the pods of a set are numbered.",
    fields: {
      start: "Number of the first pod. Default: 0.",
    },
  },
};

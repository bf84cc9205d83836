import type { TypeDescriptions } from "./type-descriptions.js";

export const appsTypes: TypeDescriptions = {
  StatefulSet: {
    about: "Runs pods with lasting names and storage of their own.",
  },
  StatefulSetUpdateStrategy: {
    about: "How the pods of a stateful set are replaced.",
  },
  RollingUpdateStatefulSetStrategy: {
    about: "Which pods of a stateful set are updated.",
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    about: "When the claims of a stateful set are deleted.",
  },
  StatefulSetSpec: {
    fields: {
      minReadySeconds: "Seconds that a new pod must be ready to count as available.",
      persistentVolumeClaimRetentionPolicy: "When claims are deleted.",
      podManagementPolicy: "OrderedReady, one after the other, or Parallel. Default: OrderedReady.",
      replicas: "How many pods. Default: 1.",
      revisionHistoryLimit: "How many old revisions are kept. Default: 10.",
      selector: "The pods that belong to it; must match the template's labels. Cannot be changed.",
      serviceName: "The headless service that gives the pods their names.",
      template: "What the pods look like.",
      updateStrategy: "How pods are replaced.",
      volumeClaimTemplates: "Claims that each pod gets.",
    },
  },
  Deployment: {
    about: "Keeps a number of interchangeable pods running and rolls out changes to them.",
  },
  DeploymentSpec: {
    fields: {
      minReadySeconds: "Seconds that a new pod must be ready to count as available.",
      paused: "Whether changes wait.",
      progressDeadlineSeconds:
        "Seconds without progress after which a rollout counts as failed. Default: 600.",
      replicas: "How many pods. Default: 1.",
      revisionHistoryLimit: "How many old replica sets are kept for rolling back. Default: 10.",
      selector: "The pods that belong to it; must match the template's labels. Cannot be changed.",
      strategy: "How pods are replaced.",
      template: "What the pods look like.",
    },
  },
  DeploymentStrategy: {
    about: "How the pods of a deployment are replaced.",
    fields: {
      rollingUpdate: "Settings for RollingUpdate.",
      type: "RollingUpdate or Recreate. Default: RollingUpdate.",
    },
  },
  RollingUpdateDeployment: {
    about: "How many pods may be missing or surplus during an update.",
    fields: {
      maxSurge: "How many pods more than wanted, as a number or percentage. Default: 25%.",
      maxUnavailable: "How many pods fewer than wanted, as a number or percentage. Default: 25%.",
    },
  },
  DeploymentStatus: {
    fields: {
      availableReplicas: "Pods that have been ready for minReadySeconds.",
      collisionCount: "How often a name for a replica set was taken.",
      readyReplicas: "Pods that are ready.",
      replicas: "All pods.",
      unavailableReplicas: "Pods that are still missing.",
      updatedReplicas: "Pods of the present template.",
    },
  },
  DaemonSetUpdateStrategy: {
    about: "How the pods of a daemon set are replaced.",
  },
  RollingUpdateDaemonSet: {
    about: "How many nodes may be without their pod, or have two, during an update.",
  },
  DaemonSetSpec: {
    fields: {
      minReadySeconds: "Seconds that a new pod must be ready to count as available.",
      revisionHistoryLimit: "How many old revisions are kept. Default: 10.",
      selector: "The pods that belong to it; must match the template's labels. Cannot be changed.",
      template: "What the pods look like.",
      updateStrategy: "How pods are replaced.",
    },
  },
  DaemonSet: {
    about: "Runs a copy of a pod on every node, or on some.",
  },
  ReplicaSet: {
    about: "Keeps a number of interchangeable pods running.",
  },
  ReplicaSetSpec: {
    fields: {
      minReadySeconds: "Seconds that a new pod must be ready to count as available.",
      replicas: "How many pods. Default: 1.",
      selector: "The pods that belong to it; must match the template's labels. Cannot be changed.",
      template: "What the pods look like.",
    },
  },
  ControllerRevision: {
    about: "A kept snapshot of a controller's template, for rolling back.",
  },
};

import { conditionFields } from "../../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const replicationControllerDescriptions: TypeDescriptions = {
  ReplicationController: {
    about: "Keeps a number of interchangeable pods running. The older form of a replica set.",
    fields: {
      spec: "The number of pods, and the template by which they are made. Everything can be changed.",
      status: "Counts of pods. Written by the controller, so they may lag behind.",
    },
  },
  ReplicationControllerSpec: {
    about: "How many pods of which kind are to run.",
    fields: {
      minReadySeconds:
        "Seconds that a new pod must stay ready, without a crash, to count as available. Default: 0.",
      replicas: "How many pods to run; 0 is allowed. Default: 1.",
      selector:
        "Labels of the pods that belong to it, which must be among the template's. Default: the template's labels.",
      template: "What each pod looks like. The restart policy must be Always.",
    },
  },
  ReplicationControllerStatus: {
    about: "How many pods there are.",
    fields: {
      availableReplicas: "Pods that have been ready for at least minReadySeconds.",
      conditions: "Aspects of the state: ReplicaFailure when pods cannot be made or deleted.",
      fullyLabeledReplicas: "Pods that have all labels of the template.",
      observedGeneration:
        "The metadata.generation that the controller has acted on; a lower one means it lags.",
      readyReplicas: "Pods that are ready to take requests.",
      replicas: "Pods that match the selector.",
    },
  },
  ReplicationControllerCondition: {
    fields: {
      ...conditionFields,
      type: "ReplicaFailure, which is True when pods cannot be made or deleted.",
    },
  },
};

import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const policyV1Descriptions: TypeDescriptions = {
  PodDisruptionBudgetSpec: {
    about: "Which pods a budget protects, and how many of them evictions must leave.",
    fields: {
      maxUnavailable:
        "Pods that may be down after an eviction, as a number or percentage, rounded up; excludes minAvailable.",
      minAvailable:
        "Pods that must be available after an eviction, as a number or percentage, rounded up; 100% forbids evictions.",
      selector: "Which pods are protected. Unset: none. Empty: all of the namespace, but in v1beta1 none.",
      unhealthyPodEvictionPolicy:
        "Whether running pods that are not ready may be evicted: IfHealthyBudget or AlwaysAllow. Default: IfHealthyBudget.",
    },
  },
  PodDisruptionBudgetStatus: {
    about: "How many pods a budget counts, and how many may be evicted now.",
    fields: {
      conditions: "Whether evictions are allowed, as DisruptionAllowed.",
      currentHealthy: "Pods that are ready now.",
      desiredHealthy: "Ready pods that evictions must leave.",
      disruptedPods:
        "Pods, by name, whose eviction was granted at that time but not seen yet; they count as gone for two minutes.",
      disruptionsAllowed: "How many pods may be evicted now.",
      expectedPods: "Pods that the selector matches, or that their controllers want.",
      observedGeneration:
        "The metadata.generation that was counted; while it is lower, evictions are refused.",
    },
  },
  PodDisruptionBudget: {
    about: "How many pods of an application may be down at a time by intent.",
    fields: {
      spec: "Which pods are protected, and how many must stay.",
      status: "How many pods are counted, and how many may be evicted now.",
    },
  },
  Eviction: {
    about: "Asks for a pod to be removed if its disruption budget allows it.",
    fields: {
      deleteOptions: "How the pod is deleted, such as its grace period, preconditions or a dry run.",
      metadata: "Name and namespace of the pod.",
    },
  },
};

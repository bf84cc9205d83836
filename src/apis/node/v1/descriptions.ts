import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const runtimeHandler =
  "What the nodes' container runtime calls it, as a DNS label such as runc. Cannot be changed.";
export const runtimeOverhead =
  "Resources that each pod takes beyond its containers; they count for scheduling and quotas.";
export const runtimeScheduling =
  "Where pods of the class may run. Unset: every node is taken to have the runtime.";

export const nodeV1Descriptions: TypeDescriptions = {
  RuntimeClass: {
    about: "Names a way of running containers.",
    fields: {
      handler: runtimeHandler,
      overhead: runtimeOverhead,
      scheduling: runtimeScheduling,
    },
  },
  Overhead: {
    about: "Resources that a runtime needs on top of the containers'.",
    fields: { podFixed: "Amounts per pod, by resource, such as cpu or memory." },
  },
  Scheduling: {
    about: "Which nodes have a runtime.",
    fields: {
      nodeSelector: "Labels of the nodes; added to the pod's own, and the pod is refused if they conflict.",
      tolerations: "Taints that pods of the class tolerate, besides their own.",
    },
  },
};

import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const coordinationV1beta1Descriptions: TypeDescriptions = {
  LeaseCandidate: {
    about: "Somebody who would hold a lease.",
    fields: {
      spec: "Which lease, and in which version.",
    },
  },
  LeaseCandidateSpec: {
    fields: {
      leaseName: "Name of the lease, in the same namespace. Cannot be changed.",
      pingTime: "When the server last asked whether the candidate is alive.",
      renewTime: "When the candidate last said that it is alive.",
      binaryVersion: "Version of the candidate's program.",
      emulationVersion: "Version that the program acts as; at most binaryVersion.",
      strategy: "How the holder is to be chosen.",
      preferredStrategies: "How the holder is to be chosen, the best way first.",
    },
  },
};

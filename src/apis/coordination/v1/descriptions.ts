import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const coordinationV1Descriptions: TypeDescriptions = {
  Lease: {
    about: "Says who holds something and until when: the leader of an election, or that a node is alive.",
    fields: {
      spec: "Holder and times of the lease. The holder renews it; others take it over when it has expired.",
    },
  },
  LeaseSpec: {
    about: "Who holds a lease, and until when.",
    fields: {
      acquireTime: "When the holder took the lease.",
      holderIdentity: "Who holds the lease. Empty: nobody.",
      leaseDurationSeconds:
        "Seconds after renewTime that others must wait before they take the lease. At least 1.",
      leaseTransitions: "How often the lease has changed hands.",
      renewTime: "When the holder last renewed the lease.",
      strategy: "How the holder is chosen, if the server coordinates the election.",
      preferredHolder: "Who should have the lease instead of the holder. Needs strategy.",
    },
  },
};

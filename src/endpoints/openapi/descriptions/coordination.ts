import type { TypeDescriptions } from "./type-descriptions.js";

export const coordinationTypes: TypeDescriptions = {
  Lease: {
    about: "Says who holds something, and until when.",
  },
  LeaseSpec: {
    fields: {
      acquireTime: "Since when the holder has it.",
      holderIdentity: "Who has it.",
      leaseDurationSeconds: "Seconds after renewTime for which it is held.",
      leaseTransitions: "How often it changed hands.",
      renewTime: "When the holder last renewed it.",
    },
  },
};

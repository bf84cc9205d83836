import type { TypeDescriptions } from "./type-descriptions.js";

export const replicationControllerTypes: TypeDescriptions = {
  ReplicationController: {
    about: "Keeps a number of interchangeable pods running; the older form of a replica set.",
  },
};

import type { TypeDescriptions } from "./type-descriptions.js";

export const apiserverinternalTypes: TypeDescriptions = {
  StorageVersion: {
    about: "The versions in which API servers store a resource.",
  },
  ServerStorageVersion: {
    about: "The version in which one API server stores a resource.",
  },
};

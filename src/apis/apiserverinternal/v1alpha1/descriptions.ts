import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const apiserverinternalV1alpha1Descriptions: TypeDescriptions = {
  StorageVersion: {
    about: "The versions in which API servers store a resource. Its name is group.resource.",
    fields: {
      spec: "Empty: servers report everything in status.",
      status: "What each API server stores, and whether they agree.",
    },
  },
  StorageVersionSpec: {
    about: "Empty: there is nothing to want.",
  },
  StorageVersionStatus: {
    about: "What each API server stores, and whether they agree.",
    fields: {
      commonEncodingVersion: "The version that all servers store; unset while they differ.",
      conditions: "Whether all servers store the same version.",
      storageVersions: "What each server reports, one entry for each.",
    },
  },
  ServerStorageVersion: {
    about: "The version in which one API server stores a resource.",
    fields: {
      apiServerID: "Which server it is.",
      decodableVersions: "Versions that the server can read from the store; encodingVersion is among them.",
      encodingVersion: "Group and version that the server writes to the store, as in apps/v1.",
      servedVersions: "Versions that the server answers requests in; it can decode all of them.",
    },
  },
  StorageVersionCondition: {
    fields: {
      ...conditionFields,
      message: "Details of the reason, for people; required.",
      observedGeneration: "The metadata.generation that the condition was set for.",
      type: "AllEncodingVersionsEqual: all servers store the same version.",
    },
  },
};

import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { configurationDescriptions } from "./descriptions/configuration.js";
import { connectOptionDescriptions } from "./descriptions/connect-options.js";
import { containerDescriptions } from "./descriptions/containers.js";
import { coreEventDescriptions } from "./descriptions/events.js";
import { namespaceDescriptions } from "./descriptions/namespaces.js";
import { coreNodeDescriptions } from "./descriptions/nodes.js";
import { persistentVolumeDescriptions } from "./descriptions/persistent-volumes.js";
import { placementDescriptions } from "./descriptions/placement.js";
import { podDescriptions } from "./descriptions/pods.js";
import { probeDescriptions } from "./descriptions/probes.js";
import { referenceDescriptions } from "./descriptions/references.js";
import { replicationControllerDescriptions } from "./descriptions/replication-controllers.js";
import { securityContextDescriptions } from "./descriptions/security-contexts.js";
import { serviceDescriptions } from "./descriptions/services.js";
import { storageDriverDescriptions } from "./descriptions/storage-drivers.js";
import { volumeDescriptions } from "./descriptions/volumes.js";

export const coreV1Descriptions: TypeDescriptions = {
  ...podDescriptions,
  ...placementDescriptions,
  ...containerDescriptions,
  ...probeDescriptions,
  ...securityContextDescriptions,
  ...volumeDescriptions,
  ...storageDriverDescriptions,
  ...persistentVolumeDescriptions,
  ...configurationDescriptions,
  ...replicationControllerDescriptions,
  ...serviceDescriptions,
  ...coreNodeDescriptions,
  ...namespaceDescriptions,
  ...coreEventDescriptions,
  ...referenceDescriptions,
  ...connectOptionDescriptions,
};

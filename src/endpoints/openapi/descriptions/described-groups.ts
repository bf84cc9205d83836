import { admissionregistrationTypes } from "./admissionregistration.js";
import { apiextensionsTypes } from "./apiextensions.js";
import { apiregistrationTypes } from "./apiregistration.js";
import { apiserverinternalTypes } from "./apiserverinternal.js";
import { appsTypes } from "./apps.js";
import { authenticationTypes } from "./authentication.js";
import { authorizationTypes } from "./authorization.js";
import { autoscalingTypes } from "./autoscaling.js";
import { batchTypes } from "./batch.js";
import { certificatesTypes } from "./certificates.js";
import { coordinationTypes } from "./coordination.js";
import { configurationTypes } from "./core-configuration.js";
import { connectOptionTypes } from "./core-connect-options.js";
import { containerTypes } from "./core-containers.js";
import { coreEventTypes } from "./core-events.js";
import { namespaceTypes } from "./core-namespaces.js";
import { coreNodeTypes } from "./core-nodes.js";
import { persistentVolumeTypes } from "./core-persistent-volumes.js";
import { placementTypes } from "./core-placement.js";
import { podTypes } from "./core-pods.js";
import { probeTypes } from "./core-probes.js";
import { referenceTypes } from "./core-references.js";
import { replicationControllerTypes } from "./core-replication-controllers.js";
import { securityContextTypes } from "./core-security-contexts.js";
import { serviceTypes } from "./core-services.js";
import { storageDriverTypes } from "./core-storage-drivers.js";
import { volumeTypes } from "./core-volumes.js";
import { discoveryTypes } from "./discovery.js";
import { eventsTypes } from "./events.js";
import { flowcontrolTypes } from "./flowcontrol.js";
import { metaTypes } from "./meta.js";
import { networkingTypes } from "./networking.js";
import { nodeTypes } from "./node.js";
import { policyTypes } from "./policy.js";
import { rbacTypes } from "./rbac.js";
import { schedulingTypes } from "./scheduling.js";
import { storageTypes } from "./storage.js";
import type { TypeDescriptions } from "./type-descriptions.js";

/** What is said of types, by the first part of their package's name: all versions of a group share it. */
export const describedGroups: Readonly<Record<string, TypeDescriptions>> = {
  admissionregistration: admissionregistrationTypes,
  apiextensions: apiextensionsTypes,
  apiregistration: apiregistrationTypes,
  apiserverinternal: apiserverinternalTypes,
  apps: appsTypes,
  authentication: authenticationTypes,
  authorization: authorizationTypes,
  autoscaling: autoscalingTypes,
  batch: batchTypes,
  certificates: certificatesTypes,
  coordination: coordinationTypes,
  core: {
    ...configurationTypes,
    ...connectOptionTypes,
    ...containerTypes,
    ...coreEventTypes,
    ...namespaceTypes,
    ...coreNodeTypes,
    ...persistentVolumeTypes,
    ...placementTypes,
    ...podTypes,
    ...probeTypes,
    ...referenceTypes,
    ...replicationControllerTypes,
    ...securityContextTypes,
    ...serviceTypes,
    ...storageDriverTypes,
    ...volumeTypes,
  },
  discovery: discoveryTypes,
  events: eventsTypes,
  flowcontrol: flowcontrolTypes,
  meta: metaTypes,
  networking: networkingTypes,
  node: nodeTypes,
  policy: policyTypes,
  rbac: rbacTypes,
  scheduling: schedulingTypes,
  storage: storageTypes,
};

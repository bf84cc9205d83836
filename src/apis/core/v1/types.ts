import { typePackage } from "../../../apimachinery/schema/type-package.js";
import { declareConfigurationTypes } from "./types/configuration.js";
import { declareConnectOptionsTypes } from "./types/connect-options.js";
import { declareContainersTypes } from "./types/containers.js";
import { declareEventsTypes } from "./types/events.js";
import { declareNamespacesTypes } from "./types/namespaces.js";
import { declareNodesTypes } from "./types/nodes.js";
import { declarePersistentVolumesTypes } from "./types/persistent-volumes.js";
import { declarePlacementTypes } from "./types/placement.js";
import { declarePodsTypes } from "./types/pods.js";
import { declareProbesTypes } from "./types/probes.js";
import { declareReferencesTypes } from "./types/references.js";
import { declareReplicationControllersTypes } from "./types/replication-controllers.js";
import { declareSecurityContextsTypes } from "./types/security-contexts.js";
import { declareServicesTypes } from "./types/services.js";
import { declareStorageDriversTypes } from "./types/storage-drivers.js";
import { declareVolumesTypes } from "./types/volumes.js";

export const coreV1Types = typePackage("core/v1", () => ({
  ...declarePodsTypes(),
  ...declarePlacementTypes(),
  ...declareContainersTypes(),
  ...declareProbesTypes(),
  ...declareSecurityContextsTypes(),
  ...declareVolumesTypes(),
  ...declareStorageDriversTypes(),
  ...declarePersistentVolumesTypes(),
  ...declareConfigurationTypes(),
  ...declareReplicationControllersTypes(),
  ...declareServicesTypes(),
  ...declareNodesTypes(),
  ...declareNamespacesTypes(),
  ...declareEventsTypes(),
  ...declareReferencesTypes(),
  ...declareConnectOptionsTypes(),
}));

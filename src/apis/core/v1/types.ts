import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { declareClusterTypes } from "./types/cluster.js";
import { declareConfigTypes } from "./types/config.js";
import { declareContainerTypes } from "./types/container.js";
import { declareEventTypes } from "./types/event.js";
import { declareNodeTypes } from "./types/node.js";
import { declarePersistentVolumeTypes } from "./types/persistent-volume.js";
import { declarePodTypes } from "./types/pod.js";
import { declarePolicyTypes } from "./types/policy.js";
import { declareReplicationControllerTypes } from "./types/replication-controller.js";
import { declareServiceTypes } from "./types/service.js";
import { declareVolumesTypes } from "./types/volumes.js";

export const coreV1Types: TypePackage = {
  name: "core/v1",
  declare: () => ({
    ...declarePodTypes(),
    ...declareContainerTypes(),
    ...declarePersistentVolumeTypes(),
    ...declareVolumesTypes(),
    ...declareReplicationControllerTypes(),
    ...declareServiceTypes(),
    ...declareNodeTypes(),
    ...declareConfigTypes(),
    ...declarePolicyTypes(),
    ...declareEventTypes(),
    ...declareClusterTypes(),
  }),
};

import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { csiDrivers } from "./csi-driver/resource.js";
import { csiNodes } from "./csi-node/resource.js";
import { csiStorageCapacities } from "./csi-storage-capacity/resource.js";
import { storageClasses } from "./storage-class/resource.js";
import { volumeAttachments } from "./volume-attachment/resource.js";
import { volumeAttributesClasses } from "./volume-attributes-class/resource.js";

export function storageResources(context: ApiContext): ResourceDefinition[] {
  return [
    csiDrivers(context),
    csiNodes(context),
    storageClasses(context),
    volumeAttachments(context),
    volumeAttributesClasses(context),
    csiStorageCapacities(context),
  ];
}

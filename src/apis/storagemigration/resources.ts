import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { storageVersionMigrations } from "./storage-version-migration/resource.js";

export function storagemigrationResources(context: ApiContext): ResourceDefinition[] {
  return [storageVersionMigrations(context)];
}

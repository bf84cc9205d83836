import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { storageVersions } from "./storage-version/resource.js";

export function apiserverinternalResources(context: ApiContext): ResourceDefinition[] {
  return [storageVersions(context)];
}

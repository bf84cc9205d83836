import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { configMaps } from "./config-map/resource.js";
import { namespaces } from "./namespace/resource.js";

/** The core group, served under `/api/v1`. */
export function coreResources(context: ApiContext): ResourceDefinition[] {
  return [configMaps(context), namespaces(context)];
}

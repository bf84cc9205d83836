import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { apiServices } from "./api-service/resource.js";

export function apiregistrationResources(context: ApiContext): ResourceDefinition[] {
  return [apiServices(context)];
}

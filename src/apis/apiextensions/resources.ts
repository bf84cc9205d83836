import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { customResourceDefinitions } from "./custom-resource-definition/resource.js";

export function apiextensionsResources(context: ApiContext): ResourceDefinition[] {
  return [customResourceDefinitions(context)];
}

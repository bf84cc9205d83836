import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { runtimeClasses } from "./runtime-class/resource.js";

export function nodeResources(context: ApiContext): ResourceDefinition[] {
  return [runtimeClasses(context)];
}

import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { endpointSlices } from "./endpoint-slice/resource.js";

export function discoveryResources(context: ApiContext): ResourceDefinition[] {
  return [endpointSlices(context)];
}

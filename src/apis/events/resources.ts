import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { coreEvents, groupEvents } from "./event/resource.js";

/** Both resources of the one event store: the core group's and the events group's. */
export function eventsResources(context: ApiContext): ResourceDefinition[] {
  const core: ResourceDefinition = coreEvents(context, () => [group]);
  const group: ResourceDefinition = groupEvents(context, () => [core]);
  return [core, group];
}

import type { ApiContext } from "../../definition/api-context.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition, VersionDefinition } from "../../definition/resource-definition.js";
import type { Event } from "../../gen/core-v1.js";
import type { Event as EventV1 } from "../../gen/events-v1.js";
import { eventColumns } from "./columns.js";
import { eventFromGroup, eventToGroup } from "./conversion.js";
import { coreEventFields, eventFieldValues, eventGroupFields } from "./fields.js";
import { eventStrategy } from "./strategy.js";

const shared = {
  resource: "events",
  kind: "Event",
  namespaced: true,
  shortNames: ["ev"],
  columns: eventColumns,
} as const;

function storedVersion(context: ApiContext): VersionDefinition<Event> {
  return hub<Event>(context, { version: "v1", type: "core/v1.Event" });
}

/** Events in the core group, which is also the stored form. */
export function coreEvents(
  context: ApiContext,
  equivalents: () => readonly ResourceDefinition[] = () => [],
): ResourceDefinition<Event> {
  return defineResource<Event>({
    ...shared,
    group: "",
    versions: [storedVersion(context)],
    storage: { version: "v1", prefix: "/events" },
    strategy: eventStrategy(context, "legacy"),
    equivalents,
    selectableFields: { names: coreEventFields, values: eventFieldValues },
  });
}

/** The same events in the events group. All versions convert to the core group's form. */
export function groupEvents(
  context: ApiContext,
  equivalents: () => readonly ResourceDefinition[] = () => [],
): ResourceDefinition<Event> {
  return defineResource<Event>({
    ...shared,
    group: context.naming.group("events"),
    // The group with which Kubernetes registered the type first.
    invalidKind: { group: "", kind: "Event" },
    versions: [
      spoke<Event, EventV1>(context, {
        version: "v1",
        type: "events/v1.Event",
        toHub: eventFromGroup,
        fromHub: eventToGroup,
      }),
      // The same fields as in v1.
      spoke<Event, EventV1>(context, {
        version: "v1beta1",
        until: "1.25",
        type: "events/v1beta1.Event",
        lifecycle: { introduced: "1.8", deprecated: "1.22", removed: "1.25" },
        toHub: eventFromGroup,
        fromHub: eventToGroup,
      }),
    ],
    hub: storedVersion(context),
    storage: { group: "", version: "v1", prefix: "/events" },
    strategy: eventStrategy(context, "group"),
    equivalents,
    selectableFields: { names: eventGroupFields, values: eventFieldValues },
  });
}

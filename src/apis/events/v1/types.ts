import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const eventsV1Types = typePackage("events/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    Event: {
      kind: "Event",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", optional: true },
        eventTime: { number: 2, type: "MicroTime" },
        series: { number: 3, type: "events/v1.EventSeries", pointer: true, omitempty: true, optional: true },
        reportingController: { number: 4, type: "string", omitempty: true },
        reportingInstance: { number: 5, type: "string", omitempty: true },
        action: { number: 6, type: "string", omitempty: true },
        reason: { number: 7, type: "string", omitempty: true },
        regarding: { number: 8, type: "core/v1.ObjectReference", omitempty: true, optional: true },
        related: {
          number: 9,
          type: "core/v1.ObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        note: { number: 10, type: "string", omitempty: true, optional: true },
        type: { number: 11, type: "string", omitempty: true },
        deprecatedSource: { number: 12, type: "core/v1.EventSource", omitempty: true, optional: true },
        deprecatedFirstTimestamp: { number: 13, type: "Time", omitempty: true, optional: true },
        deprecatedLastTimestamp: { number: 14, type: "Time", omitempty: true, optional: true },
        deprecatedCount: { number: 15, type: "int32", omitempty: true, optional: true },
      },
    },
    EventSeries: {
      fields: {
        count: { number: 1, type: "int32" },
        lastObservedTime: { number: 2, type: "MicroTime" },
      },
    },
    EventList: listKind("events/v1.Event"),
  };
}

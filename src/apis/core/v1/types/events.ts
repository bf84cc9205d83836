import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../../apimachinery/schema/list-kind.js";

/** Events, and the statuses of components. */
export function declareEventsTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    EventSource: {
      fields: {
        component: { number: 1, type: "string", omitempty: true, optional: true },
        host: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    // These rules are those of the events group; events without `eventTime` need not meet them.
    Event: {
      kind: "Event",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta" },
        involvedObject: { number: 2, type: "core/v1.ObjectReference", rules: { immutable: true } },
        reason: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { required: true, immutable: true },
        },
        message: { number: 4, type: "string", omitempty: true, optional: true, rules: { immutable: true } },
        source: {
          number: 5,
          type: "core/v1.EventSource",
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        firstTimestamp: {
          number: 6,
          type: "Time",
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        lastTimestamp: {
          number: 7,
          type: "Time",
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        count: { number: 8, type: "int32", omitempty: true, optional: true, rules: { immutable: true } },
        type: { number: 9, type: "string", omitempty: true, optional: true, rules: { immutable: true } },
        eventTime: {
          number: 10,
          type: "MicroTime",
          omitempty: true,
          optional: true,
          rules: { required: true, immutable: true },
        },
        series: { number: 11, type: "core/v1.EventSeries", pointer: true, omitempty: true, optional: true },
        action: {
          number: 12,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { required: true, immutable: true },
        },
        related: {
          number: 13,
          type: "core/v1.ObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        reportingComponent: {
          number: 14,
          type: "string",
          optional: true,
          rules: { required: true, immutable: true },
        },
        reportingInstance: {
          number: 15,
          type: "string",
          optional: true,
          rules: { required: true, immutable: true },
        },
      },
    },
    EventSeries: {
      fields: {
        count: { number: 1, type: "int32", omitempty: true },
        lastObservedTime: { number: 2, type: "MicroTime", omitempty: true, rules: { required: true } },
      },
    },
    EventList: listKind("core/v1.Event"),
    ComponentCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.ComponentConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        message: { number: 3, type: "string", omitempty: true, optional: true },
        error: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    ComponentStatus: {
      kind: "ComponentStatus",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        conditions: {
          number: 2,
          type: "core/v1.ComponentCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
      },
    },
    ComponentStatusList: listKind("core/v1.ComponentStatus"),
  };
}

import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const older = "For clients of the older form of events; not to be set in new ones.";

export const eventsV1Descriptions: TypeDescriptions = {
  Event: {
    about:
      "A report of something that happened to an object. It is a hint for people, kept for a limited time. Later only its series can be changed.",
    fields: {
      action:
        "What was done or failed to be done about the object, in one word; 128 characters at most. Required.",
      deprecatedCount: `How often the event has happened. ${older}`,
      deprecatedFirstTimestamp: `When the event was first recorded. ${older}`,
      deprecatedLastTimestamp: `When the event was last recorded. ${older}`,
      deprecatedSource: `Component that reports the event. ${older}`,
      eventTime: "When the event was first seen, with microseconds. Required.",
      metadata: "Standard object's metadata. The namespace is that of the object that the event is about.",
      note: "What happened, for people; 1 KiB at most.",
      reason: "Why it happened, as one word in CamelCase; 128 characters at most. Required.",
      regarding: "Object that the event is about.",
      related: "Another object that takes part, such as the pod that a replica set made.",
      reportingController: "Controller that reports the event, as DOMAIN/NAME. Required.",
      reportingInstance:
        "Instance of the controller, such as the name of its pod; 128 characters at most. Required.",
      series: "How often the event was repeated and when last; absent when it happened once.",
      type: "Normal for information, Warning for trouble. Required.",
    },
  },
  EventSeries: {
    about: "How often an event was repeated, and when last.",
    fields: {
      count: "How often the event has happened up to lastObservedTime. At least 2.",
      lastObservedTime: "When the event was last seen.",
    },
  },
};

import { conditionFields } from "../../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const coreEventDescriptions: TypeDescriptions = {
  Event: {
    about:
      "A report of something that happened to an object. It is a hint for people, kept for a limited time.",
    fields: {
      action: "What was done or failed to be done about the object, in one word, such as Binding.",
      count: "How often the event has happened.",
      eventTime: "When the event was first seen, with microseconds.",
      firstTimestamp: "When the event was first recorded.",
      involvedObject: "Object that the event is about.",
      lastTimestamp: "When the event was last recorded.",
      message: "What happened, for people.",
      metadata: "Standard object's metadata. The namespace is that of the object that the event is about.",
      reason: "Why it happened, as one word in CamelCase, for programs.",
      related: "Another object that takes part, such as the pod that a replica set made.",
      reportingComponent: "Controller that reports the event, as DOMAIN/NAME.",
      reportingInstance: "Instance of the controller, such as the name of its pod.",
      series: "How often the event was repeated and when last; absent when it happened once.",
      source: "Component that reports the event.",
      type: "Normal for information, Warning for trouble.",
    },
  },
  EventSource: {
    about: "Who reported an event.",
    fields: { component: "Component that reports the event.", host: "Node that the component runs on." },
  },
  EventSeries: {
    about: "How often an event was repeated, and when last.",
    fields: {
      count: "How often the event has happened up to lastObservedTime.",
      lastObservedTime: "When the event was last seen.",
    },
  },
  ComponentStatus: {
    about: "Health of a part of the control plane. Deprecated.",
    fields: { conditions: "Outcomes of the checks, as far as there are any." },
  },
  ComponentCondition: {
    about: "Whether a component is healthy.",
    fields: {
      error: "Error code of a failed check.",
      message: "What the check answered.",
      status: conditionFields.status,
      type: "Aspect that the condition is about; only Healthy is known.",
    },
  },
};

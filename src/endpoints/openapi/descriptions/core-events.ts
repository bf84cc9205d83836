import type { TypeDescriptions } from "./type-descriptions.js";

export const coreEventTypes: TypeDescriptions = {
  Event: {
    about: "A report of something that happened to an object.",
  },
  EventSource: {
    about: "Who reported an event.",
  },
  EventSeries: {
    about: "How often an event was repeated, and when last.",
  },
  ComponentStatus: {
    about: "Health of a part of the control plane. Deprecated.",
  },
  ComponentCondition: {
    about: "Whether a component is healthy.",
  },
};

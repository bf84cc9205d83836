import type { TypeDescriptions } from "./type-descriptions.js";

export const eventsTypes: TypeDescriptions = {
  Event: {
    about: "A report of something that happened to an object.",
  },
  EventSeries: {
    about: "How often an event was repeated, and when last.",
  },
};

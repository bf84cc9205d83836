import type { TypeDescriptions } from "./type-descriptions.js";

export const schedulingTypes: TypeDescriptions = {
  PriorityClass: {
    about: "Gives a number to the importance of pods.",
  },
};

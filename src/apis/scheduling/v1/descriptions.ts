import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const schedulingV1Descriptions: TypeDescriptions = {
  PriorityClass: {
    about: "Gives a number to the importance of pods.",
    fields: {
      description: "When to use the class, for people.",
      globalDefault: "Whether pods get it that name no class; at most one class should. Default: false.",
      preemptionPolicy:
        "PreemptLowerPriority lets waiting pods push out less important ones; Never does not. Default: PreemptLowerPriority. Cannot be changed.",
      value: "The priority; a higher one is scheduled first. At most 1000000000; cannot be changed.",
    },
  },
};

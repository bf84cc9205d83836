/** What is true of a field of this name in every type that has no words of its own for it. */
export const sharedFields: Readonly<Record<string, string>> = {
  conditions: "Aspects of the present state.",
  items: "The objects.",
  lastTransitionTime: "When the condition last changed from one status to another.",
  metadata: "Names, labels and other metadata.",
  observedGeneration: "The metadata.generation that this was observed of.",
  spec: "What is wanted.",
  status: "What was last observed. Written by the system.",
};

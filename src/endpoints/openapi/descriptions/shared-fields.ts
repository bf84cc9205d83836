/** What is true of a field of this name in every type that has no words of its own for it. */
export const sharedFields: Readonly<Record<string, string>> = {
  items: "The objects of the list.",
  lastTransitionTime: "When the condition last changed from one status to another.",
  metadata: "Names, labels and other metadata.",
};

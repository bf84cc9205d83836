/** Descriptions shared by all conditions; each kind describes its condition types. */
export const conditionFields = {
  message: "Details of the reason, for people; may be empty.",
  reason: "Why status is what it is, as one word in CamelCase, for programs.",
  status: "Whether the condition holds: True, False or Unknown.",
};

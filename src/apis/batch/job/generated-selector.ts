import type { Job } from "../../gen/batch-v1.js";

/**
 * Makes the job select its own pods only, by its uid, and adds the matching labels to its template. In place. Existing values are
 * kept; validation refuses contradicting ones.
 */
export function generateSelector({ metadata, spec }: Job): void {
  const { name = "", uid = "" } = metadata;
  const { template, selector } = spec;
  template.metadata.labels = { "job-name": name, "controller-uid": uid, ...template.metadata.labels };
  spec.selector = { ...selector, matchLabels: { "controller-uid": uid, ...selector?.matchLabels } };
}

import type { Job } from "../../gen/batch-v1.js";
import { hasLabelsOfTemplate } from "./defaults.js";
import type { JobLabels } from "./validation.js";

/**
 * Makes the job select its own pods only, by its uid, and adds the matching labels to its template, and to the job itself where it has
 * its labels of the template. In place. Existing values are kept; validation refuses contradicting ones.
 */
export function generateSelector({ metadata, spec }: Job, { domain, hasPrefixed }: JobLabels): void {
  const { name = "", uid = "" } = metadata;
  const { template, selector } = spec;
  const prefix = hasPrefixed ? `batch.${domain}/` : "";
  const labels = {
    "job-name": name,
    "controller-uid": uid,
    ...(hasPrefixed && { [`${prefix}job-name`]: name, [`${prefix}controller-uid`]: uid }),
    ...template.metadata.labels,
  };
  if (hasLabelsOfTemplate({ metadata, spec })) metadata.labels = { ...labels };
  template.metadata.labels = labels;
  spec.selector = {
    ...selector,
    matchLabels: { [`${prefix}controller-uid`]: uid, ...selector?.matchLabels },
  };
}

import type { Job } from "../../gen/batch-v1.js";

/**
 * The job with a selector that matches its own pods only, by the job's uid, and with the labels that it selects in the template.
 * Unchanged where the job brings its own selector. Values that conflict are kept: validation refuses them.
 */
export function withGeneratedSelector(job: Job): Job {
  const { metadata, spec } = job;
  if (spec.manualSelector === true) return job;
  const { name = "", uid = "" } = metadata;
  const { template, selector } = spec;
  const labels = { "job-name": name, "controller-uid": uid, ...template.metadata.labels };
  return {
    ...job,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { "controller-uid": uid, ...selector?.matchLabels } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

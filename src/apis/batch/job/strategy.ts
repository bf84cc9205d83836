import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { dropDisabledPodTemplateFields } from "../../core/pod-spec/disabled-fields.js";
import { hostnameWarnings } from "../../core/pod-spec/name-warnings.js";
import { podValidationOptions } from "../../core/pod-spec/validation-options.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy } from "../../definition/base-strategy.js";
import type { Strategy } from "../../definition/strategy.js";
import type { Job, JobSpec } from "../../gen/batch-v1.js";
import { setJobLabels } from "./defaults.js";
import { generateSelector } from "./generated-selector.js";
import { type JobLabels, validateJobUpdate, validateNewJob } from "./validation.js";
import { jobSpecWarnings } from "./warnings.js";

const orphaningWarning =
  "child pods are preserved by default when jobs are deleted; " +
  "set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

export function jobStrategy(context: ApiContext): Strategy<Job> {
  const specPath = FieldPath.of("spec");
  const { naming, level, isEnabled } = context;
  const trackingAnnotation = `batch.${naming.domain}/job-tracking`;
  const labelsOfNew: JobLabels = { domain: naming.domain, hasPrefixed: isAtLeast(level, "1.27") };
  const tracksAll = isAtLeast(level, "1.28");
  const keepsTracking = isAtLeast(level, "1.26") && !tracksAll;
  const templateUpdate = {
    scheduling: isEnabled("JobMutableNodeSchedulingDirectives"),
    schedulingGates: isAtLeast(level, "1.27"),
    afterStart: isEnabled("MutableSchedulingDirectivesForSuspendedJobs"),
    resources: isEnabled("MutablePodResourcesForSuspendedJobs"),
  };

  return specStrategy<Job>({
    // Pods outlive their job unless the request says otherwise.
    defaultPropagation: () => "orphan",
    orphaningWarning,
    emptyStatus: () => ({}),
    prepareForCreate(_write, object) {
      if (object.spec.manualSelector !== true) generateSelector(object, labelsOfNew);
      dropDisabledJobFields(context, object.spec, undefined);
      // Updates keep it for validation, which refuses the change.
      if (!isEnabled("JobManagedBy")) object.spec.managedBy = undefined;
      dropDisabledPodTemplateFields(context, object.spec.template);
      // From 1.28 on, the pods of all jobs are tracked.
      if (tracksAll) return;
      if (context.isEnabled("JobTrackingWithFinalizers")) {
        addTracking(object);
      } else dropTracking(object);
    },
    prepareForUpdate(_write, object, old) {
      dropDisabledJobFields(context, object.spec, old.spec);
      dropDisabledPodTemplateFields(context, object.spec.template, old.spec.template);
      const wasTracked = old.metadata.annotations?.[trackingAnnotation] !== undefined;
      if (!context.isEnabled("JobTrackingWithFinalizers") && !wasTracked) dropTracking(object);
      if (wasTracked && keepsTracking) addTracking(object);
    },
    // The labels generated for the template become the job's own, as if by defaulting.
    canonicalize: (_write, object) => setJobLabels(object),
    validate: (_write, object) =>
      validateNewJob(object, labelsOfNew, podValidationOptions(context, object.spec.template)),
    validateUpdate: (_write, object, old) =>
      validateJobUpdate(
        object,
        old,
        {
          // Since 1.28, the annotation has no effect.
          trackingAnnotation: tracksAll ? undefined : trackingAnnotation,
          templateUpdate,
          allowElasticIndexed: isEnabled("ElasticIndexedJob"),
        },
        { ...labelsOfNew, hasPrefixed: labelsOfNew.hasPrefixed && hasPrefixedLabels(old) },
        podValidationOptions(context, object.spec.template, old.spec.template),
      ),
    warningsOnCreate: (_write, object) => [
      ...hostnameWarnings(context, object),
      ...jobSpecWarnings(context, specPath, object.spec),
    ],
    warningsOnUpdate: (_write, object, old) =>
      object.metadata.generation === old.metadata.generation
        ? []
        : jobSpecWarnings(context, specPath, object.spec),
  });

  function hasPrefixedLabels({ spec }: Job): boolean {
    return spec.template.metadata.labels?.[`batch.${naming.domain}/job-name`] !== undefined;
  }

  function addTracking({ metadata }: Job): void {
    metadata.annotations = { ...metadata.annotations, [trackingAnnotation]: "" };
  }

  function dropTracking({ metadata }: Job): void {
    if (metadata.annotations?.[trackingAnnotation] === undefined) return;
    const { [trackingAnnotation]: _dropped, ...others } = metadata.annotations;
    metadata.annotations = Object.keys(others).length === 0 ? undefined : others;
  }
}

/** In place; keeps what `old` uses already. */
function dropDisabledJobFields(context: ApiContext, spec: JobSpec, old: JobSpec | undefined): void {
  if (!context.isEnabled("IndexedJob") && old?.completionMode === undefined) delete spec.completionMode;
  if (!context.isEnabled("SuspendJob") && old?.suspend === undefined) delete spec.suspend;
  dropRulesForIndexes(context, spec, old);
}

/** Rules that fail an index need per-index limits, so they are dropped with them. Stored rules stay, because they are immutable. */
function dropRulesForIndexes(
  { level, isEnabled }: ApiContext,
  { podFailurePolicy }: JobSpec,
  old: JobSpec | undefined,
): void {
  const isKnown = isAtLeast(level, "1.28");
  if (!isKnown || isEnabled("JobBackoffLimitPerIndex") || old !== undefined) return;
  if (podFailurePolicy?.rules === undefined) return;
  podFailurePolicy.rules = podFailurePolicy.rules.filter(({ action }) => action !== "FailIndex");
}

import { DecodeError } from "../../../apimachinery/schema/codec.js";
import { setPodTemplateSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { DaemonSet } from "../../gen/apps-v1.js";
import { templateGenerationAnnotation, templateGenerationProblem } from "./template-generation.js";

/** Throws `DecodeError`. */
export function setDaemonSetDefaults(object: DaemonSet, context: ApiContext): void {
  const problem = templateGenerationProblem(object);
  if (problem !== undefined) throw new DecodeError(problem);
  const { metadata, spec } = object;
  // The client that writes a daemon set owns the annotation in managed fields, although the server sets its value.
  if (metadata.annotations?.[templateGenerationAnnotation] === undefined) {
    metadata.annotations = { ...metadata.annotations, [templateGenerationAnnotation]: "0" };
  }
  const { updateStrategy } = spec;
  updateStrategy.type ||= "RollingUpdate";
  if (updateStrategy.type === "RollingUpdate") {
    updateStrategy.rollingUpdate ??= {};
    updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    updateStrategy.rollingUpdate.maxSurge ??= 0;
  } else if (updateStrategy.rollingUpdate !== undefined) {
    // Kubernetes keeps an absent value as zero.
    updateStrategy.rollingUpdate.maxUnavailable ??= 0;
    updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateSpecDefaults(spec.template, context);
}

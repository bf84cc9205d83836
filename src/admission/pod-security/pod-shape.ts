import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { CronJob } from "../../apis/gen/batch-v1.js";
import type {
  Pod,
  PodSpec,
  PodTemplate,
  PodTemplateSpec,
  ReplicationController,
} from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";

/** The parts of a pod, or of a pod template, that the rules check. */
export interface PodShape {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

export function shapeOf({ metadata, spec }: Pick<Pod, "metadata" | "spec">): PodShape {
  return { annotations: metadata.annotations ?? {}, spec };
}

/** Reads the template of a workload's pods. */
export type ReadTemplate = (object: ApiObject) => PodShape | undefined;

/** By the qualified names of the resources that have a template: `deployments.apps`. */
export function templateReaders({ group }: Pick<Naming, "group">): ReadonlyMap<string, ReadTemplate> {
  // Each resource is written as its own kind; those of workloads have the template where replication controllers have it.
  const ofWorkload = reader((object) => (object as ReplicationController).spec?.template);
  const ofTemplate = reader((object) => (object as PodTemplate).template);
  const ofCronJob = reader((object) => (object as CronJob).spec?.jobTemplate?.spec?.template);
  const apps = group("apps");
  const batch = group("batch");
  return new Map([
    ["replicationcontrollers.", ofWorkload],
    ["podtemplates.", ofTemplate],
    [`replicasets.${apps}`, ofWorkload],
    [`deployments.${apps}`, ofWorkload],
    [`statefulsets.${apps}`, ofWorkload],
    [`daemonsets.${apps}`, ofWorkload],
    [`jobs.${batch}`, ofWorkload],
    [`cronjobs.${batch}`, ofCronJob],
  ]);
}

function reader(templateOf: (object: ApiObject) => PodTemplateSpec | undefined): ReadTemplate {
  return (object) => {
    const template = templateOf(object);
    return template && shapeOf({ metadata: template.metadata ?? {}, spec: template.spec ?? {} });
  };
}

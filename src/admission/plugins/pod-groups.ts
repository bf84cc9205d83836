import { quoted } from "../../apimachinery/errors/quoted-text.js";
import type { Job } from "../../apis/gen/batch-v1.js";
import type { PodGroup, Workload } from "../../apis/gen/scheduling-v1alpha2.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "cluster" | "isEnabled">;

/** Adds a finalizer to pod groups, which a controller removes when none of their pods runs any longer. */
export function podGroupProtection({ naming, isEnabled }: Context): AdmissionPlugin {
  if (!isEnabled("GenericWorkload")) return { operations: ["CREATE"] };
  const finalizer = `${naming.group("scheduling")}/podgroup-protection`;
  const writesPodGroup = writesOf("podgroups.scheduling", naming);
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      const created = writesPodGroup(attributes) ? attributes.object : undefined;
      if (created === undefined) return;
      const present = created.metadata.finalizers ?? [];
      if (!present.includes(finalizer)) created.metadata.finalizers = [...present, finalizer];
    },
  };
}

/** A group made from a template of a workload requires both to exist. */
export function podGroupWorkloadExists({ naming, cluster, isEnabled }: Context): AdmissionPlugin {
  if (!isEnabled("GenericWorkload")) return { operations: ["CREATE"] };
  const writesPodGroup = writesOf("podgroups.scheduling", naming);
  const viewOf = ({ metadata, spec }: Workload) => ({
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    templates: new Set(spec.podGroupTemplates?.map(({ name }) => name)),
  });
  const workloads = cluster.follow("workloads.scheduling", { view: (stored) => viewOf(stored.decode()) });
  const find = async (namespace: string, name: string) => {
    const known = workloads.get(`${namespace}/${name}`);
    if (known !== undefined) return known;
    const read = await cluster.read("workloads.scheduling", namespace, name);
    return read && viewOf(read);
  };
  return {
    operations: ["CREATE"],
    async validate(attributes) {
      if (!writesPodGroup(attributes)) return;
      const ref = attributes.object?.spec.podGroupTemplateRef?.workload;
      if (ref === undefined) return;
      const [name, template] = [quoted(ref.workloadName), quoted(ref.podGroupTemplateName)];
      const refuse = (why: string) => refused(attributes, `PodGroup rejected: ${why}`);
      const workload = await find(attributes.namespace, ref.workloadName);
      if (workload === undefined) throw refuse(`Workload ${name} not found`);
      if (workload.isBeingDeleted) throw refuse(`Workload ${name} is being deleted`);
      if (!workload.templates.has(ref.podGroupTemplateName)) {
        throw refuse(`PodGroupTemplate ${template} not found in Workload ${name}`);
      }
    },
  };
}

/** Keeps the parallelism of a gang-scheduled job at the size of its pod group. */
export function jobValidation({ naming, cluster, isEnabled }: Context): AdmissionPlugin {
  if (!isEnabled("GenericWorkload")) return { operations: ["UPDATE"] };
  const writesJob = writesOf("jobs.batch", naming);
  const gangs = cluster.follow("podgroups.scheduling", {
    view: (stored) => gangView(stored.decode()),
    indexes: { owner: ({ owner, isGang }: GangView) => (isGang ? [owner] : []) },
  });
  const gangOf = ({ metadata, spec }: Job): string | undefined => {
    const { namespace = "", uid = "" } = metadata;
    const named = spec.template.spec.schedulingGroup?.podGroupName;
    if (named !== undefined) return gangs.get(`${namespace}/${named}`)?.isGang === true ? named : undefined;
    for (const { name } of gangs.find("owner", uid)) return name;
    return undefined;
  };
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      if (!writesJob(attributes)) return;
      const { object: job, oldObject: old } = attributes;
      if (job === undefined || old === undefined || job.spec.parallelism === old.spec.parallelism) return;
      const gang = gangOf(old);
      if (gang === undefined) return;
      const why = `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${quoted(gang)}`;
      throw refused(attributes, why);
    },
  };
}

type GangView = ReturnType<typeof gangView>;

function gangView({ metadata, spec }: PodGroup) {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? "";
  return { name: metadata.name ?? "", owner, isGang: spec.schedulingPolicy.gang !== undefined };
}

import { expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from "./pod-groups.js";

const metadata = { name: "g", namespace: "ns" };
const gang = { gang: { minCount: 2 } };
const groupOf = (workloadName?: string, podGroupTemplateName = "workers", more: object = {}) => ({
  metadata: { ...metadata, ...more },
  spec: {
    schedulingPolicy: gang,
    ...(workloadName && { podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } }),
  },
});
const workload = (name: string, more: object = {}) => ({
  metadata: { name, namespace: "ns", ...more },
  spec: { podGroupTemplates: [{ name: "workers", schedulingPolicy: gang }] },
});
const level = "1.36";
const gates = { GenericWorkload: true };
const resource = "podgroups";

test("new groups of pods are protected, where the gate is on", async () => {
  const protection = "scheduling.k8s.io/podgroup-protection";
  const finalizersOf = async (object: object, isOn = true) => {
    const ground = new PluginGround(podGroupProtection, { level, gates: { GenericWorkload: isOn } });
    return (await ground.admit({ resource, object })).object?.metadata.finalizers;
  };
  expect(await finalizersOf(groupOf())).toEqual([protection]);
  expect(await finalizersOf(groupOf(undefined, "", { finalizers: ["a/b"] }))).toEqual(["a/b", protection]);
  expect(await finalizersOf(groupOf(undefined, "", { finalizers: [protection] }))).toEqual([protection]);
  expect(await finalizersOf(groupOf(), false)).toBeUndefined();
});

test.each<[string, object, string | undefined]>([
  ["no template", groupOf(), undefined],
  ["a template that exists", groupOf("w"), undefined],
  ["a workload that is new", groupOf("new"), undefined],
  ["no such workload", groupOf("x"), 'Workload "x" not found'],
  ["no such template", groupOf("w", "x"), 'PodGroupTemplate "x" not found in Workload "w"'],
  ["a workload that is being deleted", groupOf("old"), 'Workload "old" is being deleted'],
])("a group of %s", async (_what, object, why) => {
  const old = workload("old", { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] });
  const ground = new PluginGround(podGroupWorkloadExists, {
    level,
    gates,
    known: { workloads: [workload("w"), old] },
    unheard: { workloads: [workload("new")] },
  });
  const { refusal } = await ground.admit({ resource, object });
  expect(refusal).toBe(why && `podgroups.scheduling.k8s.io "g" is forbidden: PodGroup rejected: ${why}`);
});

test.each<[string, object, object, string | undefined]>([
  ["a group that starts together", { podGroupName: "gang" }, {}, "gang"],
  ["a group that does not", { podGroupName: "basic" }, {}, undefined],
  ["no known group", { podGroupName: "x" }, {}, undefined],
  ["no group, with one of its own", {}, { uid: "job-1" }, "owned"],
  ["no group, with none of its own", {}, { uid: "job-2" }, undefined],
])("a job of %s and its parallelism", async (_what, schedulingGroup, more, name) => {
  const owner = { apiVersion: "batch/v1", kind: "Job", name: "j", controller: true };
  const podgroups = [
    { metadata: { ...metadata, name: "gang" }, spec: { schedulingPolicy: gang } },
    { metadata: { ...metadata, name: "basic" }, spec: { schedulingPolicy: { basic: {} } } },
    {
      metadata: { ...metadata, name: "owned", ownerReferences: [{ ...owner, uid: "job-1" }] },
      spec: { schedulingPolicy: gang },
    },
    {
      metadata: {
        ...metadata,
        name: "not",
        ownerReferences: [{ ...owner, uid: "job-2", controller: false }],
      },
      spec: { schedulingPolicy: gang },
    },
  ];
  const ground = new PluginGround(jobValidation, { level, gates, known: { podgroups } });
  const isInGroup = Object.keys(schedulingGroup).length > 0;
  const spec = { containers: [{ name: "a", image: "a" }], ...(isInGroup && { schedulingGroup }) };
  const job = (parallelism: number) => ({
    metadata: { name: "j", ...more },
    spec: { parallelism, template: { spec } },
  });
  expect((await ground.admit({ resource: "jobs", old: job(2), object: job(2) })).refusal).toBeUndefined();
  const { refusal } = await ground.admit({ resource: "jobs", old: job(2), object: job(3) });
  const why = `cannot change parallelism for a Job referencing gang-scheduled PodGroup "${name}"`;
  expect(refusal).toBe(name && `jobs.batch "j" is forbidden: ${why}`);
});

import { describe, expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { priority } from "./priority.js";
import { runtimeClass } from "./runtime-class.js";

describe("Priority", () => {
  const high = { metadata: { name: "high" }, value: 1000, preemptionPolicy: "Never" };
  const standard = { metadata: { name: "standard" }, value: 10, globalDefault: true };
  const low = { metadata: { name: "low" }, value: 5, globalDefault: true };

  test.each([
    ["no class", [high], {}, { priority: 0, preemptionPolicy: "PreemptLowerPriority" }],
    ["a default", [high, standard], {}, { priorityClassName: "standard", priority: 10 }],
    ["two defaults", [standard, low], {}, { priorityClassName: "low", priority: 5 }],
    ["a named one", [high], { priorityClassName: "high" }, { priority: 1000, preemptionPolicy: "Never" }],
    ["a priority that is right", [high], { priorityClassName: "high", priority: 1000 }, { priority: 1000 }],
  ])("a new pod and %s", async (_what, priorityclasses, spec, expected) => {
    const ground = new PluginGround(priority, { known: { priorityclasses } });
    const { object, refusal } = await ground.admit({ resource: "pods", object: podWith(spec) });
    expect(refusal).toBeUndefined();
    expect((object as Pod).spec).toMatchObject(expected);
  });

  test.each([
    [{ priorityClassName: "none" }, "no PriorityClass with name none was found"],
    [
      { priority: 7 },
      "the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name",
    ],
    [
      { priorityClassName: "high", preemptionPolicy: "PreemptLowerPriority" },
      "the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name",
    ],
  ])("a new pod with %j is refused", async (spec, problem) => {
    const ground = new PluginGround(priority, { known: { priorityclasses: [high] } });
    const { refusal } = await ground.admit({ resource: "pods", object: podWith(spec) });
    expect(refusal).toBe(`pods "pod" is forbidden: ${problem}`);
  });

  test("an update that leaves the priority out keeps it", async () => {
    const old = podWith({ priority: 5, preemptionPolicy: "Never" });
    const { object } = await new PluginGround(priority).admit({ resource: "pods", object: podWith(), old });
    expect((object as Pod).spec).toMatchObject({ priority: 5, preemptionPolicy: "Never" });
  });

  test.each([
    ["a default", [high, standard], {}, { priorityClassName: "standard", priority: 10 }],
    ["no default", [high], {}, { priorityClassName: undefined, priority: 0 }],
    ["a class", [high], { priorityClassName: "high" }, { priorityClassName: "high", priority: 1000 }],
  ])("a new group of pods and %s", async (_what, priorityclasses, spec, expected) => {
    const object = {
      metadata: { name: "g", namespace: "ns" },
      spec: { schedulingPolicy: { basic: {} }, ...spec },
    };
    const write = { resource: "podgroups", object };
    const at136 = { known: { priorityclasses }, level: "1.36" } as const;
    const ground = new PluginGround(priority, { ...at136, gates: { WorkloadAwarePreemption: true } });
    expect((await ground.admit(write)).object).toMatchObject({ spec: expected });
    expect((await new PluginGround(priority, at136).admit(write)).object).not.toHaveProperty("spec.priority");
  });

  test.each([
    [{ priorityClassName: "none" }, "no PriorityClass with name none was found"],
    [
      { priorityClassName: "high", priority: 7 },
      "priority set in the pod group (7) must match the priority computed (1000) based on the priority class set in the spec",
    ],
  ])("a new group of pods with %j is refused", async (spec, why) => {
    const ground = new PluginGround(priority, {
      known: { priorityclasses: [high] },
      level: "1.36",
      gates: { WorkloadAwarePreemption: true },
    });
    const object = {
      metadata: { name: "g", namespace: "ns" },
      spec: { schedulingPolicy: { basic: {} }, ...spec },
    };
    const { code, refusal } = await ground.admit({ resource: "podgroups", object });
    expect(code).toBe(403);
    expect(refusal).toContain(why);
  });

  test("there is one default class", async () => {
    const ground = new PluginGround(priority, { known: { priorityclasses: [standard] } });
    const admit = async (object: object, old?: object) =>
      (await ground.admit({ resource: "priorityclasses", object, ...(old && { old }) })).refusal;
    expect(await admit(high)).toBeUndefined();
    expect(await admit(standard, standard)).toBeUndefined();
    expect(await admit(low)).toBe(
      'priorityclasses.scheduling.k8s.io "low" is forbidden: PriorityClass standard is already marked as default. Only one default can exist',
    );
  });
});

describe("RuntimeClass", () => {
  const costly = {
    metadata: { name: "costly" },
    handler: "h",
    overhead: { podFixed: { cpu: "100m" } },
    scheduling: { nodeSelector: { runtime: "h" }, tolerations: [{ key: "h", operator: "Exists" }] },
  };
  const plain = { metadata: { name: "plain" }, handler: "p" };
  const different = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

  test.each([
    [{}, undefined],
    [{ runtimeClassName: "plain" }, undefined],
    [{ runtimeClassName: "costly", overhead: { cpu: "0.1" } }, undefined],
    [{ runtimeClassName: "none" }, 'pod rejected: RuntimeClass "none" not found'],
    [{ runtimeClassName: "costly", overhead: { cpu: "1" } }, different],
    [
      { runtimeClassName: "plain", overhead: { cpu: "1" } },
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    ],
    [
      { overhead: { cpu: "1" } },
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    ],
    [
      { runtimeClassName: "costly", nodeSelector: { runtime: "x" } },
      "conflict: runtimeClass.scheduling.nodeSelector[runtime] = h; pod.spec.nodeSelector[runtime] = x",
    ],
  ])("a pod with %j", async (spec, problem) => {
    for (const cluster of [
      { known: { runtimeclasses: [costly, plain] } },
      { unheard: { runtimeclasses: [costly, plain] } },
    ]) {
      const { refusal } = await new PluginGround(runtimeClass, cluster).admit({
        resource: "pods",
        object: podWith(spec),
      });
      expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
    }
  });

  test("overhead and scheduling are the class's", async () => {
    const ground = new PluginGround(runtimeClass, { known: { runtimeclasses: [costly] } });
    const { object } = await ground.admit({
      resource: "pods",
      object: podWith({
        runtimeClassName: "costly",
        nodeSelector: { a: "b" },
        tolerations: [{ key: "h", operator: "Equal", value: "v" }],
      }),
    });
    expect((object as Pod).spec).toMatchObject({
      overhead: { cpu: "100m" },
      nodeSelector: { a: "b", runtime: "h" },
      tolerations: [{ key: "h", operator: "Exists" }],
    });
  });
});

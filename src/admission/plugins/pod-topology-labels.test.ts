import { expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { podTopologyLabels } from "./pod-topology-labels.js";

const zone = "topology.kubernetes.io/zone";
const region = "topology.kubernetes.io/region";
const node = { metadata: { name: "n", labels: { [zone]: "a", [region]: "r", other: "x" } } };
const bare = { metadata: { name: "bare", labels: { other: "x" } } };

function ground(isOn = true) {
  return new PluginGround(podTopologyLabels, {
    level: "1.35",
    gates: { PodTopologyLabelsAdmission: isOn },
    known: { nodes: [node, bare] },
  });
}

async function labelsOf(nodeName: string, labels: Record<string, string> = {}, isOn = true) {
  const pod = podWith({ nodeName }) as Pod;
  const object = { ...pod, metadata: { ...pod.metadata, labels } };
  return ((await ground(isOn).admit({ resource: "pods", object })).object as Pod).metadata.labels;
}

test("a pod that is created on a node gets the zone and region of the node, where it has none", async () => {
  expect(await labelsOf("n", { app: "web" })).toEqual({ app: "web", [zone]: "a", [region]: "r" });
  expect(await labelsOf("n", { [zone]: "mine" })).toEqual({ [zone]: "mine", [region]: "r" });
});

test("others keep their labels", async () => {
  for (const name of ["", "bare", "unknown"])
    expect(await labelsOf(name, { app: "web" })).toEqual({ app: "web" });
  expect(await labelsOf("n", { app: "web" }, false)).toEqual({ app: "web" });
});

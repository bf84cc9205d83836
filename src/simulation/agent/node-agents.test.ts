import { afterEach, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { TestCluster } from "../testing/test-cluster.js";
import { NodeAgents } from "./node-agents.js";

let ground: TestCluster;

afterEach(() => ground.stop());

async function start(level: ApiLevel = "1.30"): Promise<void> {
  ground = new TestCluster(level);
  await ground.start((cluster) => new NodeAgents(cluster));
}

async function addNode(spec: object = {}): Promise<void> {
  await ground.registries.create("nodes", {
    metadata: { name: "one", labels: { disk: "ssd" } },
    spec,
    status: { allocatable: { cpu: "4", memory: "8Gi", pods: "3" } },
  });
}

/** A pod that names its node, so that no scheduler asks whether it fits. */
async function addPod(name: string, spec: object = {}, container: object = {}): Promise<void> {
  await ground.registries.create("pods", {
    metadata: { name, namespace: "ns" },
    spec: { nodeName: "one", containers: [{ name: "c", image: "i", ...container }], ...spec },
  });
}

const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });
const port = { ports: [{ containerPort: 80, hostPort: 8080, protocol: "TCP" }] };
const phaseOf = async (name: string) => (await ground.find("pods", name))?.status.phase;

async function rejectionOf(name: string): Promise<string> {
  await expect.poll(() => phaseOf(name)).toBe("Failed");
  const { status } = (await ground.find("pods", name)) ?? {};
  return `${status?.reason}: ${status?.message}`;
}

describe("a pod that names its node is rejected there", () => {
  test("if the node has too little left for it", async () => {
    await start();
    await addNode();
    await addPod("first", {}, cpu("3"));
    await expect.poll(() => phaseOf("first")).toBe("Running");
    await addPod("second", {}, cpu("1500m"));
    expect(await rejectionOf("second")).toBe(
      "OutOfcpu: Pod was rejected: Node didn't have enough resource: cpu, requested: 1500, used: 3000, capacity: 4000",
    );
    const elsewhere = { "example.com/elsewhere": "1" };
    await addPod("third", {}, { resources: { requests: elsewhere, limits: elsewhere } });
    await expect.poll(() => phaseOf("third")).toBe("Running");
    await addPod("fourth");
    await addPod("fifth");
    await expect
      .poll(async () => [await phaseOf("fourth"), await phaseOf("fifth")].sort())
      .toEqual(["Failed", "Running"]);
  });

  test("if a port of the node is taken, until its holder is gone", async () => {
    await start("1.23");
    await addNode();
    await addPod("first", {}, port);
    await expect.poll(() => phaseOf("first")).toBe("Running");
    await addPod("second", {}, port);
    expect(await rejectionOf("second")).toBe(
      "NodePorts: Pod Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    );
    await ground.removePod("first");
    await addPod("third", {}, port);
    await expect.poll(() => phaseOf("third")).toBe("Running");
  });

  test("if it selects other nodes, or does not tolerate what the node does not execute", async () => {
    await start();
    await addNode({ taints: [{ key: "broken", effect: "NoExecute" }] });
    await addPod("elsewhere", { nodeSelector: { disk: "tape" } });
    expect(await rejectionOf("elsewhere")).toMatch(/^NodeAffinity: /);
    await addPod("touchy", { nodeSelector: { disk: "ssd" } });
    expect(await rejectionOf("touchy")).toMatch(/^TaintToleration: /);
    await addPod("robust", { tolerations: [{ operator: "Exists" }] });
    await expect.poll(() => phaseOf("robust")).toBe("Running");
  });
});

test("a pod waits at a node that has not told what fits on it", async () => {
  await start();
  await ground.registries.create("nodes", { metadata: { name: "one" } });
  await addPod("early");
  await ground.cluster.writer("agent").changePart("nodes", { namespace: "", name: "one" }, (node) => {
    node.status.allocatable = { cpu: "4", pods: "3" };
  });
  await expect.poll(() => phaseOf("early")).toBe("Running");
});

test("pods that their node runs already stay, whatever else is there", async () => {
  await start();
  for (const name of ["first", "second"]) {
    await addPod(name, {}, port);
    await ground.cluster.writer("agent").changePart("pods", { namespace: "ns", name }, ({ status }) => {
      status.startTime = "2024-01-01T00:00:00Z";
    });
  }
  await addNode();
  await expect
    .poll(async () => [await phaseOf("first"), await phaseOf("second")])
    .toEqual(["Running", "Running"]);
});

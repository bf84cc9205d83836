import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { ReplicaSets } from "./replica-sets.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new ReplicaSets(cluster, "replicasets.apps"));
});

afterEach(() => ground.stop());

const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "web", controller: true };

const addSet = (name: string, replicas: number) =>
  ground.registries.create("replicasets", {
    metadata: { name, namespace: "ns", ownerReferences: [owner] },
    spec: {
      replicas,
      selector: { matchLabels: { set: name } },
      template: {
        metadata: { labels: { set: name } },
        spec: { containers: [{ name: "c", image: "c" }] },
      },
    },
  });

const podsOf = async (set: string) =>
  (await ground.pods()).filter(({ metadata }) => metadata.labels?.set === set);

async function place(set: string, nodes: readonly string[]): Promise<void> {
  await expect.poll(async () => (await podsOf(set)).length).toBe(nodes.length);
  for (const [index, { metadata }] of (await podsOf(set)).entries()) {
    const target = { namespace: "ns", name: metadata.name ?? "" };
    await ground.cluster.writer("scheduler").changePodFreely(target, ({ spec }) => {
      spec.nodeName = nodes[index];
    });
    await ground.setPhase(target.name, "Running");
  }
}

test("of equal pods, those go first that share their node with most pods of the deployment", async () => {
  await addSet("new", 2);
  await place("new", ["b", "b"]);
  await addSet("old", 3);
  await place("old", ["a", "a", "b"]);
  await ground.cluster.writer("test").change("replicasets.apps", { namespace: "ns", name: "old" }, (set) => {
    set.spec.replicas = 2;
  });
  const left = async () =>
    (await podsOf("old"))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ spec }) => spec.nodeName);
  await expect.poll(left).toEqual(["a", "a"]);
});

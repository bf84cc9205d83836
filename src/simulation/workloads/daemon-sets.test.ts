import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { nodeOfDaemon } from "./daemon-pods.js";
import { DaemonSets } from "./daemon-sets.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new DaemonSets(cluster));
});

afterEach(() => ground.stop());

const addNode = (name: string, labels: object = {}, spec: object = {}) =>
  ground.registries.create("nodes", { metadata: { name, labels }, spec });

const addSet = (spec: object = {}, annotations: object = {}, rollingUpdate: object = {}) =>
  ground.registries.create("daemonsets", {
    metadata: { name: "agent", namespace: "ns", annotations },
    spec: {
      updateStrategy: { type: "RollingUpdate", rollingUpdate },
      selector: { matchLabels: { app: "agent" } },
      template: {
        metadata: { labels: { app: "agent" } },
        spec: { containers: [{ name: "c", image: "agent:1" }], ...spec },
      },
    },
  });

const places = async () => (await ground.pods()).map(nodeOfDaemon).sort();
const status = async () => (await ground.find("daemonsets.apps", "agent"))?.status;

test("each node has a pod, and so has one that comes", async () => {
  await addNode("one");
  await addNode("two");
  await addSet();
  await expect.poll(places).toEqual(["one", "two"]);
  await addNode("three");
  await expect.poll(places).toEqual(["one", "three", "two"]);
  await expect.poll(status).toMatchObject({ desiredNumberScheduled: 3, currentNumberScheduled: 3 });
});

test("nodes that are not selected, or whose taint nobody tolerates, have none", async () => {
  await addNode("plain");
  await addNode("chosen", { disk: "ssd" });
  await addNode("tainted", { disk: "ssd" }, { taints: [{ key: "a", effect: "NoSchedule" }] });
  await addSet({ nodeSelector: { disk: "ssd" } });
  await expect.poll(places).toEqual(["chosen"]);
  await expect.poll(async () => (await status())?.desiredNumberScheduled).toBe(1);
});

test("a pod that failed is replaced", async () => {
  await addNode("one");
  await addSet();
  await expect.poll(places).toEqual(["one"]);
  const [failed] = await ground.pods();
  await ground.setPhase(failed?.metadata.name ?? "", "Failed");
  const uids = async () => (await ground.pods()).map(({ metadata }) => metadata.uid);
  await expect.poll(uids).not.toContain(failed?.metadata.uid);
  await expect.poll(places).toEqual(["one"]);
});

const setImage = (image: string) =>
  ground.cluster.writer("test").change("daemonsets.apps", { namespace: "ns", name: "agent" }, ({ spec }) => {
    const [container] = spec.template.spec?.containers ?? [];
    if (container !== undefined) container.image = image;
  });
const images = async () => (await ground.pods()).map(({ spec }) => spec.containers?.[0]?.image).sort();

test("a new template replaces one available pod at a time", async () => {
  await addNode("one");
  await addNode("two");
  await addSet();
  await expect.poll(places).toEqual(["one", "two"]);
  for (const { metadata } of await ground.pods()) await ground.setPhase(metadata.name ?? "", "Running");
  await expect.poll(async () => (await status())?.numberAvailable).toBe(2);
  await setImage("agent:2");
  await expect.poll(images).toEqual(["agent:1", "agent:2"]);
  await expect.poll(async () => (await status())?.updatedNumberScheduled).toBe(1);
  expect(await images()).toEqual(["agent:1", "agent:2"]);
});

test("with a surge, a node has both pods until the new one is available", async () => {
  await addNode("one");
  await addNode("two");
  await addSet({}, {}, { maxSurge: 1, maxUnavailable: 0 });
  await expect.poll(places).toEqual(["one", "two"]);
  for (const { metadata } of await ground.pods()) await ground.setPhase(metadata.name ?? "", "Running");
  await expect.poll(async () => (await status())?.numberAvailable).toBe(2);
  await setImage("agent:2");
  for (const [node, updated] of [
    [0, 1],
    [1, 2],
  ] as const) {
    await expect.poll(async () => (await ground.pods()).length).toBe(3);
    const pod = (await ground.pods()).filter(({ spec }) => spec.containers?.[0]?.image === "agent:2")[node];
    await ground.setPhase(pod?.metadata.name ?? "", "Running");
    await expect.poll(async () => (await status())?.updatedNumberScheduled).toBe(updated);
    expect((await status())?.numberAvailable).toBe(2);
  }
  expect(await images()).toEqual(["agent:2", "agent:2"]);
  expect(await places()).toEqual(["one", "two"]);
});

test("a template with a number that only 64 bits hold has one revision", async () => {
  await addNode("one");
  await addSet({ terminationGracePeriodSeconds: 2n ** 63n - 1n });
  await expect.poll(places).toEqual(["one"]);
  const [first] = await ground.pods();
  await addNode("two");
  await expect.poll(places).toEqual(["one", "two"]);
  const hash = first?.metadata.labels?.["controller-revision-hash"];
  for (const { metadata } of await ground.pods()) {
    expect(metadata.labels).toMatchObject({ "controller-revision-hash": hash });
  }
});

test("a revision has the annotations that the set had", async () => {
  const cause = (image: string) => ({ "kubernetes.io/change-cause": `use ${image}` });
  await addNode("one");
  await addSet({}, cause("agent:1"));
  await expect.poll(places).toEqual(["one"]);
  await ground.cluster
    .writer("test")
    .change("daemonsets.apps", { namespace: "ns", name: "agent" }, ({ metadata, spec }) => {
      metadata.annotations = cause("agent:2");
      const [container] = spec.template.spec?.containers ?? [];
      if (container !== undefined) container.image = "agent:2";
    });
  const revisions = async () => {
    const { items } = await ground.cluster.context
      .builtin("controllerrevisions.apps")
      .list({ prefix: "ns/", at: { kind: "mostRecent" }, limit: 0 });
    return items
      .map((stored) => stored.decode())
      .sort((a, b) => Number(a.revision) - Number(b.revision))
      .map(({ metadata }) => metadata.annotations);
  };
  await expect
    .poll(revisions)
    .toEqual([cause("agent:1"), cause("agent:2")].map((each) => expect.objectContaining(each)));
});

test("a revision has its members in the order of their names, as clients that compare it as text expect", async () => {
  await addSet({ restartPolicy: "Always", containers: [{ name: "c", image: "agent:1" }] });
  const data = async () => {
    const { items } = await ground.cluster.context
      .builtin("controllerrevisions.apps")
      .list({ prefix: "ns/", at: { kind: "mostRecent" }, limit: 0 });
    return JSON.stringify(items[0]?.decode().data);
  };
  await expect
    .poll(data)
    .toMatch(
      /^\{"spec":\{"template":\{"\$patch":"replace","metadata":.*"spec":\{"containers":\[\{"image":.*"restartPolicy"/,
    );
});

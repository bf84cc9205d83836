import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabServer, startLab } from "../support/lab-server.js";

let lab: LabServer;

beforeAll(async () => {
  lab = await startLab({ simulate: { nodes: 2 } });
});

afterAll(() => lab.dispose());

const pods = "/api/v1/namespaces/default/pods";
const jobs = "/apis/batch/v1/namespaces/default/jobs";
const app = { name: "app", image: "app" };

test("a cron job runs when the clock says so", async () => {
  const template = { spec: { restartPolicy: "Never", containers: [app] } };
  await lab.api.post("/apis/batch/v1/namespaces/default/cronjobs", {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "hourly" },
    spec: { schedule: "0 * * * *", jobTemplate: { spec: { template } } },
  });
  await lab.server.clock.advance("1h");
  await lab.server.clock.advance("1m");
  await expect
    .poll(async () => {
      const { body } = await lab.api.get(jobs);
      const counts: (number | undefined)[] = body.items.map(
        ({ status }: { status: { succeeded?: number } }) => status.succeeded,
      );
      return counts.length > 0 && counts.every((count) => count === 1);
    })
    .toBe(true);
});

test("pods are evicted from a node that is gone, as long after as they tolerate it", async () => {
  const create = (name: string, tolerations: readonly object[]) =>
    lab.api.post(pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { nodeName: "node-1", containers: [app], tolerations },
    });
  const unreachable = (tolerationSeconds: number) => ({
    key: "node.kubernetes.io/unreachable",
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds,
  });
  await create("patient", [unreachable(600)]);
  await create("hasty", [unreachable(10)]);
  const phase = async (name: string) => (await lab.api.get(`${pods}/${name}`)).body.status.phase;
  await expect.poll(() => phase("patient")).toBe("Running");
  await expect.poll(() => phase("hasty")).toBe("Running");
  const annotations = { "simulation.orch.io/state": "gone" };
  const patch = { metadata: { annotations } };
  await lab.api.patch("/api/v1/nodes/node-1", "application/merge-patch+json", patch);
  const ready = async () => {
    const { conditions } = (await lab.api.get("/api/v1/nodes/node-1")).body.status;
    return conditions.find(({ type }: { type: string }) => type === "Ready").status;
  };
  await expect
    .poll(async () => {
      await lab.server.clock.advance("10s");
      return await ready();
    })
    .toBe("Unknown");
  const deleted = async (name: string) =>
    (await lab.api.get(`${pods}/${name}`)).body.metadata.deletionTimestamp !== undefined;
  await expect
    .poll(async () => {
      await lab.server.clock.advance("5s");
      return await deleted("hasty");
    })
    .toBe(true);
  expect(await deleted("patient")).toBe(false);
});

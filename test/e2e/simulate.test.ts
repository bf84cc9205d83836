import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const { kubectl123, kubectlCurrent, helm } = clientBinaries();
let server: ServerHere;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "simulate-"));
  server = await startServerHere({ args: ["--simulate=nodes=3,cpu=4,zones=3"] });
});

afterAll(async () => {
  await server.dispose();
  rmSync(home, { recursive: true, force: true });
});

async function kubectl(args: string, input?: object): Promise<string> {
  const stdin = input === undefined ? {} : { input: JSON.stringify(input) };
  const { status, stdout, stderr } = await runClient(kubectl123, args.split(" "), {
    kubeconfig: server.kubeconfig,
    home,
    ...stdin,
  });
  if (status !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
  return stdout;
}

const apply = (object: object) => kubectl("apply -f -", object);
const field = (path: string, what: string) => kubectl(`get ${what} -o jsonpath={${path}}`);

test("a deployment rolls out, is updated, scaled and rolled back", async () => {
  await kubectl("create deployment web --image=nginx:1 --replicas=3");
  expect(await kubectl("rollout status deployment/web --timeout=30s")).toContain("successfully rolled out");
  const nodes = await field(".items[*].spec.nodeName", "pods -l app=web");
  expect(nodes.split(" ").sort()).toEqual(["node-0", "node-1", "node-2"]);
  await kubectl("set image deployment/web nginx=nginx:2");
  await kubectl("rollout status deployment/web --timeout=30s");
  await expect
    .poll(() => field(".items[*].spec.containers[0].image", "pods -l app=web"))
    .toBe("nginx:2 nginx:2 nginx:2");
  await kubectl("scale deployment/web --replicas=5");
  await kubectl("wait deployment/web --for=condition=Available --timeout=30s");
  await expect.poll(() => field(".status.readyReplicas", "deployment/web")).toBe("5");
  await kubectl("rollout undo deployment/web");
  await kubectl("rollout status deployment/web --timeout=30s");
  expect(await field(".items[*].metadata.annotations.deployment\\.kubernetes\\.io/revision", "rs")).toContain(
    "3",
  );
});

test("a service has the addresses of its ready pods", async () => {
  await kubectl("create deployment api --image=nginx --port=8080 --replicas=2");
  await kubectl("expose deployment/api --port=80 --target-port=8080");
  await kubectl("rollout status deployment/api --timeout=30s");
  await expect
    .poll(async () => (await field(".subsets[0].addresses[*].ip", "endpoints/api")).split(" ").length)
    .toBe(2);
  const slices = "endpointslices -l kubernetes.io/service-name=api";
  await expect.poll(() => field(".items[*].endpoints[*].conditions.ready", slices)).toBe("true true");
});

test("a pod that no node fits says why, and runs when one does", async () => {
  await kubectl(
    "run big --image=nginx --overrides " +
      JSON.stringify({
        spec: { containers: [{ name: "big", image: "nginx", resources: { requests: { cpu: "20" } } }] },
      }),
  );
  const scheduled = `.status.conditions[?(@.type=="PodScheduled")].message`;
  await expect.poll(() => field(scheduled, "pod/big")).toBe("0/3 nodes are available: 3 Insufficient cpu.");
  await expect
    .poll(() => kubectl("get events --field-selector reason=FailedScheduling -o name"))
    .toContain("event/big");
  await apply({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "large" },
    status: { capacity: { cpu: "32", memory: "64Gi", pods: "20" } },
  });
  await kubectl("wait pod/big --for=condition=Ready --timeout=30s");
  expect(await field(".spec.nodeName", "pod/big")).toBe("large");
});

test("devices that a client adds to the capacity of a node are given to pods", async () => {
  const api = new ApiClient(server);
  const added = await api.patch("/api/v1/nodes/node-1/status", "application/json-patch+json", [
    { op: "add", path: "/status/capacity/example.com~1dongle", value: "4" },
  ]);
  expect(added.status).toBe(200);
  await expect.poll(() => field(".status.allocatable.example\\.com/dongle", "node/node-1")).toBe("4");
  const limits = { "example.com/dongle": "3" };
  const spec = { containers: [{ name: "app", image: "app", resources: { limits } }] };
  await apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "player" }, spec });
  await kubectl("wait pod/player --for=condition=Ready --timeout=30s");
  expect(await field(".spec.nodeName", "pod/player")).toBe("node-1");
  await api.patch("/api/v1/nodes/node-1/status", "application/json-patch+json", [
    { op: "remove", path: "/status/capacity/example.com~1dongle" },
  ]);
  await expect.poll(() => field(".status.allocatable", "node/node-1")).not.toContain("dongle");
  await api.close();
});

test("a pod's annotations say what it logs and what commands print", async () => {
  await apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "talker",
      annotations: {
        "simulation.orch.io/logs": "one\ntwo\nthree",
        "simulation.orch.io/exec": JSON.stringify({
          hostname: "talker\n",
          false: { exitCode: 3, stderr: "no\n" },
        }),
      },
    },
    spec: { containers: [{ name: "app", image: "app" }] },
  });
  await kubectl("wait pod/talker --for=condition=Ready --timeout=30s");
  expect(await kubectl("logs talker --tail=2")).toBe("two\nthree\n");
  const begin = await field(".status.containerStatuses[0].state.running.startedAt", "pod/talker");
  expect(await kubectl("logs talker --tail=1 --timestamps")).toBe(
    `${begin.replace("Z", ".000000000Z")} three\n`,
  );
  expect(await kubectl("logs talker --follow --limit-bytes=6")).toBe("one\ntw");
  expect(await kubectl("logs talker --since=1h")).toBe("one\ntwo\nthree\n");
  expect(await kubectl("logs talker --since-time=2999-01-01T00:00:00Z")).toBe("");
  for (const binary of [kubectl123, kubectlCurrent]) {
    const run = (command: string) =>
      runClient(binary, ["exec", "talker", "--", command], { kubeconfig: server.kubeconfig, home });
    expect(await run("hostname")).toMatchObject({ status: 0, stdout: "talker\n" });
    expect(await run("false")).toMatchObject({ status: 3, stderr: expect.stringContaining("no\n") });
  }
});

test("a request for the logs of a container without an image says why there are none", async () => {
  await apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "imageless", annotations: { "simulation.orch.io/pull-error": "no such image" } },
    spec: { containers: [{ name: "app", image: "app" }] },
  });
  const logs = async () =>
    (await runClient(kubectlCurrent, ["logs", "imageless"], { kubeconfig: server.kubeconfig, home })).stderr;
  await expect
    .poll(logs, { timeout: 20_000 })
    .toContain('"imageless" is waiting to start: trying and failing to pull image');
});

test("a debugging container runs", async () => {
  await kubectl("run patient --image=app");
  await kubectl("wait pod/patient --for=condition=Ready --timeout=30s");
  const debug = ["debug", "patient", "-i", "--image=tools", "--container=tools", "--", "sh"];
  const { status, stderr } = await runClient(kubectlCurrent, debug, { kubeconfig: server.kubeconfig, home });
  expect(status, stderr).toBe(0);
  const running = await field(".status.ephemeralContainerStatuses[0].state.running.startedAt", "pod/patient");
  expect(running).toMatch(/^\d{4}-/);
  expect(await kubectl("logs patient -c tools")).toBe("");
});

test.each(["1.23", "1.36"])(
  "commands run for an unchanged kubectl in the other profile at %s",
  async (level) => {
    const other = await startServerHere({ profile: "orch", args: ["--simulate", `--api-level=${level}`] });
    try {
      const run = (binary: string, args: string) =>
        runClient(binary, args.split(" "), { kubeconfig: other.kubeconfig, home });
      await run(kubectlCurrent, "run talker --image=app");
      await run(kubectlCurrent, `annotate pod talker simulation.orch.io/exec={"hostname":"talker"}`);
      await run(kubectlCurrent, "wait pod/talker --for=condition=Ready --timeout=30s");
      for (const binary of [kubectl123, kubectlCurrent]) {
        expect(await run(binary, "exec talker -- hostname")).toMatchObject({ status: 0, stdout: "talker" });
      }
    } finally {
      await other.dispose();
    }
  },
);

test("pods crash, wait for images and fail probes as their annotations say", async () => {
  const pod = (name: string, annotations: Readonly<Record<string, string>>, container: object = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.orch.io/${key}`, value]),
      ),
    },
    spec: { containers: [{ name: "app", image: "app:1", ...container }] },
  });
  const readinessProbe = { httpGet: { port: 80 } };
  await apply(pod("crashing", { "exit-code": "1" }));
  await apply(pod("unpulled", { "pull-error": "manifest unknown" }));
  await apply(pod("unready", { readiness: "fail" }, { readinessProbe }));
  const waiting = ".status.containerStatuses[0].state.waiting.reason";
  await expect.poll(() => field(waiting, "pod/crashing")).toBe("CrashLoopBackOff");
  await expect.poll(() => field(waiting, "pod/unpulled")).toBe("ImagePullBackOff");
  await expect.poll(() => field(".status.phase", "pod/unready")).toBe("Running");
  const ready = `.status.conditions[?(@.type=="Ready")].reason`;
  expect(await field(ready, "pod/unready")).toBe("ContainersNotReady");
});

test("a running pod behaves as its annotations say now", async () => {
  await kubectl("run changing --image=app");
  await kubectl("wait pod/changing --for=condition=Ready --timeout=30s");
  await kubectl("annotate pod changing simulation.orch.io/exit-code=1");
  const waiting = ".status.containerStatuses[0].state.waiting.reason";
  await expect.poll(() => field(waiting, "pod/changing")).toBe("CrashLoopBackOff");
  // It need not wait for the end of the pause.
  await kubectl("annotate pod changing simulation.orch.io/exit-code-");
  await kubectl("wait pod/changing --for=condition=Ready --timeout=30s");
  await kubectl("annotate pod changing simulation.orch.io/readiness=fail");
  await kubectl("wait pod/changing --for=condition=Ready=False --timeout=30s");
});

test("jobs complete, fail at their limit, and are removed some time after", async () => {
  const job = (name: string, spec: object, annotations: object = {}) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: {
      ...spec,
      template: {
        metadata: { annotations },
        spec: { restartPolicy: "Never", containers: [{ name: "app", image: "app" }] },
      },
    },
  });
  await apply(job("indexed", { completions: 3, parallelism: 3, completionMode: "Indexed" }));
  await apply(job("failing", { backoffLimit: 0 }, { "simulation.orch.io/exit-code": "1" }));
  await apply(job("short", { ttlSecondsAfterFinished: 0 }));
  await kubectl("wait job/indexed --for=condition=Complete --timeout=30s");
  expect(await field(".status.completedIndexes", "job/indexed")).toBe("0-2");
  await kubectl("wait job/failing --for=condition=Failed --timeout=30s");
  expect(await field(".status.conditions[0].reason", "job/failing")).toBe("BackoffLimitExceeded");
  await expect.poll(() => kubectl("get job --ignore-not-found short -o name")).toBe("");
});

test("a stateful set's pods have volumes, and roll one after another", async () => {
  await apply({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db" },
    spec: {
      serviceName: "db",
      replicas: 2,
      selector: { matchLabels: { app: "db" } },
      template: {
        metadata: { labels: { app: "db" } },
        spec: { containers: [{ name: "db", image: "db:1" }] },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  });
  await kubectl("rollout status statefulset/db --timeout=30s");
  expect(await field(".items[*].status.phase", "pvc")).toBe("Bound Bound");
  await kubectl("set image statefulset/db db=db:2");
  await kubectl("rollout status statefulset/db --timeout=30s");
  expect(await field(".items[*].spec.containers[0].image", "pods -l app=db")).toBe("db:2 db:2");
});

test("Helm waits for a release to be ready", async () => {
  const chart = join(home, "chart");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
  const labels = { app: "shop" };
  const objects = [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "shop" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "shop" }] } },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "shop" },
      spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80 }] },
    },
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "migrate", annotations: { "helm.sh/hook": "pre-install" } },
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "app", image: "shop" }] } } },
    },
  ];
  for (const object of objects) {
    writeFileSync(join(chart, "templates", `${object.kind}.yaml`), JSON.stringify(object));
  }
  const args = ["install", "shop", chart, "--wait", "--timeout", "40s"];
  const installed = await runClient(helm, args, { kubeconfig: server.kubeconfig, home });
  expect(installed).toMatchObject({ status: 0, stdout: expect.stringContaining("STATUS: deployed") });
  expect(await field(".status.readyReplicas", "deployment/shop")).toBe("2");
});

test("a node that goes away is noticed, and comes back", async () => {
  await kubectl("annotate node node-2 simulation.orch.io/state=not-ready");
  await kubectl("wait node/node-2 --for=condition=Ready=False --timeout=30s");
  await expect.poll(() => field(".spec.taints[*].effect", "node/node-2")).toBe("NoSchedule NoExecute");
  await kubectl("annotate node node-2 simulation.orch.io/state-");
  await kubectl("wait node/node-2 --for=condition=Ready --timeout=30s");
  await expect.poll(() => field(".spec.taints", "node/node-2")).toBe("");
});

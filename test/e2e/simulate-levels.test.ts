import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

/** What controllers and agents of later levels write otherwise than those of 1.23, at 1.35. */

const { kubectlCurrent } = clientBinaries();
let server: ServerHere;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "simulate-levels-"));
  server = await startServerHere({ args: ["--api-level=1.35", "--simulate=nodes=2"] });
});

afterAll(async () => {
  await server.dispose();
  rmSync(home, { recursive: true, force: true });
});

async function kubectl(args: string, input?: object): Promise<string> {
  const { status, stdout, stderr } = await runClient(kubectlCurrent, args.split(" "), {
    kubeconfig: server.kubeconfig,
    home,
    ...(input !== undefined && { input: JSON.stringify(input) }),
  });
  if (status !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
  return stdout;
}

const field = (path: string, what: string) => kubectl(`get ${what} -o jsonpath={${path}}`);
const conditions = (what: string) =>
  kubectl(`get ${what} -o jsonpath={range.status.conditions[*]}{.type}={.status}({.reason})|{end}`);
const containers = [{ name: "app", image: "app" }];

function job(name: string, spec: object, annotations: Readonly<Record<string, string>> = {}) {
  const template = { metadata: { annotations }, spec: { restartPolicy: "Never", containers } };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { ...spec, template } };
}

test.each([
  ["done", { completions: 2 }, {}, ["SuccessCriteriaMet", "Complete"], "CompletionsReached"],
  ["broken", { backoffLimit: 0 }, { "exit-code": "1" }, ["FailureTarget", "Failed"], "BackoffLimitExceeded"],
  [
    "late",
    { activeDeadlineSeconds: 1 },
    { "exit-after": "60s" },
    ["FailureTarget", "Failed"],
    "DeadlineExceeded",
  ],
  [
    "forbidden",
    { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] } },
    { "exit-code": "42" },
    ["FailureTarget", "Failed"],
    "PodFailurePolicy",
  ],
  [
    "enough",
    {
      completions: 3,
      parallelism: 1,
      completionMode: "Indexed",
      successPolicy: { rules: [{ succeededCount: 1 }] },
    },
    {},
    ["SuccessCriteriaMet", "Complete"],
    "SuccessPolicy",
  ],
])("the job %s says that it will end before it ends", async (name, spec, behaviour, types, reason) => {
  const annotations = Object.entries(behaviour).map(([key, value]) => [`simulation.orch.io/${key}`, value]);
  await kubectl("apply -f -", job(name, spec, Object.fromEntries(annotations)));
  const expected = types.map((type) => `${type}=True(${reason})|`).join("");
  await expect.poll(() => conditions(`job/${name}`)).toBe(expected);
  expect(await field(".status.terminating", `job/${name}`)).toBe("0");
});

test("a job with a sidecar completes, and its pod's containers have ended", async () => {
  const sidecar = { name: "log", image: "log", restartPolicy: "Always" };
  const done = job("assisted", {});
  await kubectl("apply -f -", {
    ...done,
    spec: {
      template: { spec: { restartPolicy: "Never", initContainers: [sidecar], containers } },
    },
  });
  await kubectl("wait job/assisted --for=condition=Complete --timeout=30s");
  const pods = "pods -l batch.kubernetes.io/job-name=assisted";
  expect(await field(".items[0].status.initContainerStatuses[0].state.terminated.exitCode", pods)).toBe("0");
});

test("a service gets the address of a load balancer", async () => {
  await kubectl("create service loadbalancer front --tcp=80");
  await expect
    .poll(() => field(".status.loadBalancer.ingress[0]", "service/front"))
    .toBe('{"ip":"198.18.0.1","ipMode":"VIP"}');
});

test("sets count the pods that are leaving", async () => {
  await kubectl("create deployment web --image=web --replicas=2");
  await kubectl("rollout status deployment/web --timeout=30s");
  await expect.poll(() => field(".status.terminatingReplicas", "deployment/web")).toBe("0");
  await kubectl("annotate pods -l app=web simulation.orch.io/stop=20s");
  await kubectl("scale deployment/web --replicas=1");
  await expect.poll(() => field(".status.terminatingReplicas", "deployment/web")).toBe("1");
});

test("pods have the conditions, labels and generations of the level", async () => {
  await kubectl("apply -f -", {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db" },
    spec: {
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers } },
    },
  });
  await kubectl("rollout status statefulset/db --timeout=30s");
  expect(await conditions("pod/db-0")).toContain("PodReadyToStartContainers=True()|");
  expect(await field(".metadata.labels.apps\\.kubernetes\\.io/pod-index", "pod/db-0")).toBe("0");
  expect(await field(".status.observedGeneration", "pod/db-0")).toBe("1");
  expect(await field(".status.hostIPs[0].ip", "pod/db-0")).toBe(await field(".status.hostIP", "pod/db-0"));
});

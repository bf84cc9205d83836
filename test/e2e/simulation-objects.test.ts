import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const { kubectl123 } = clientBinaries();
let server: ServerHere;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "simulation-objects-"));
  server = await startServerHere({ args: ["--simulate=nodes=2"] });
  await kubectl("wait crd/simulations.simulation.orch.io --for=condition=Established --timeout=30s");
});

afterAll(async () => {
  await server.dispose();
  rmSync(home, { recursive: true, force: true });
});

function run(args: string, input?: object) {
  return runClient(kubectl123, args.split(" "), {
    kubeconfig: server.kubeconfig,
    home,
    ...(input !== undefined && { input: JSON.stringify(input) }),
  });
}

async function kubectl(args: string, input?: object): Promise<string> {
  const { status, stdout, stderr } = await run(args, input);
  if (status !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
  return stdout;
}

const simulation = (name: string, spec: object) => ({
  apiVersion: "simulation.orch.io/v1",
  kind: "Simulation",
  metadata: { name },
  spec,
});
const field = (path: string, what: string) => kubectl(`get ${what} -o jsonpath={${path}}`);
const waiting = (what: string) => field(".items[*].status.containerStatuses[*].state.waiting.reason", what);
const slow = { timeout: 60_000 };

test("an image cannot be pulled as long as a rule says so", async () => {
  await kubectl(
    "apply -f -",
    simulation("no-such-image", {
      match: { images: ["shop:*"] },
      container: { pullError: "manifest unknown" },
    }),
  );
  await kubectl("create deployment shop --image=shop:1 --replicas=2");
  await kubectl("create deployment other --image=other:1");
  await kubectl("rollout status deployment/other --timeout=30s");
  await expect.poll(() => waiting("pods -l app=shop"), slow).toBe("ImagePullBackOff ImagePullBackOff");
  await kubectl("delete simulation no-such-image");
  expect(await kubectl("rollout status deployment/shop --timeout=30s")).toContain("successfully rolled out");
});

test("pods that run crash, and recover, as a rule comes and goes", async () => {
  await kubectl("create namespace prod");
  await kubectl("create deployment api --image=api:1 -n prod");
  await kubectl("rollout status deployment/api -n prod --timeout=30s");
  await kubectl(
    "apply -f -",
    simulation("crashing", {
      match: { namespaces: ["prod"], labelSelector: "app=api" },
      container: { exitCode: 137, exitAfter: "0s", logs: "out of memory" },
    }),
  );
  await expect.poll(() => waiting("pods -n prod"), slow).toBe("CrashLoopBackOff");
  const last = ".items[0].status.containerStatuses[0].lastState.terminated.reason";
  expect(await field(last, "pods -n prod")).toBe("OOMKilled");
  expect(await kubectl("logs deployment/api -n prod")).toBe("out of memory\n");
  await kubectl("delete simulation crashing");
  await kubectl("wait deployment/api -n prod --for=condition=Available --timeout=30s");
});

test("readiness fails in one container alone, and what a pod says itself counts more", async () => {
  const probed = (name: string) => ({
    name,
    image: "web:1",
    readinessProbe: { httpGet: { port: 80 } },
  });
  const pod = (name: string, annotations: object) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "pair" }, annotations },
    spec: { containers: [probed("web"), probed("proxy")] },
  });
  await kubectl(
    "apply -f -",
    simulation("unready", {
      match: { labelSelector: "app=pair", containers: ["proxy"] },
      container: { readiness: "fail" },
    }),
  );
  await kubectl("apply -f -", pod("ruled", {}));
  await kubectl("apply -f -", pod("own", { "simulation.orch.io/proxy.readiness": "ok" }));
  await kubectl("wait pod/own --for=condition=Ready --timeout=30s");
  const isReady = ".status.containerStatuses[*].ready";
  await expect.poll(() => field(isReady, "pod/ruled")).toBe("true false");
});

test("nodes are as a rule says, until it is gone", async () => {
  await kubectl(
    "apply -f -",
    simulation("broken", { match: { names: ["node-1"] }, node: { state: "not-ready" } }),
  );
  await kubectl("wait node/node-1 --for=condition=Ready=False --timeout=30s");
  await kubectl("delete simulation broken");
  await kubectl("wait node/node-1 --for=condition=Ready --timeout=30s");
});

test("a rule that cannot be read is refused, or says what is wrong with it", async () => {
  const wrong = await run("apply -f -", simulation("wrong", { container: { pull: "soon" } }));
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining("spec.container.pull") });
  const exit = await run("apply -f -", simulation("wrong", { container: { exitCode: "1,999" } }));
  expect(exit).toMatchObject({ status: 1, stderr: expect.stringContaining("spec.container.exitCode") });
  await kubectl(
    "apply -f -",
    simulation("wrong", { match: { labelSelector: "a b" }, container: { stop: "1s" } }),
  );
  await expect
    .poll(() => field(".status.problem", "simulation/wrong"))
    .toBe('match.labelSelector: not a selector: "a b"');
  await kubectl(
    "apply -f -",
    simulation("wrong", { match: { labelSelector: "a=b" }, container: { stop: "1s" } }),
  );
  await expect.poll(() => field(".status.problem", "simulation/wrong")).toBe("");
});

test("a rule with a number that only 64 bits hold is in force", async () => {
  const exec = { hostname: { stdout: "web", exitCode: 2 ** 60 } };
  await kubectl("apply -f -", simulation("large", { container: { exec } }));
  await kubectl("run large --image=web");
  await kubectl("wait pod/large --for=condition=Ready --timeout=30s");
  expect(await run("exec large -- hostname")).toMatchObject({ stdout: "web" });
  await kubectl("delete simulation large");
});

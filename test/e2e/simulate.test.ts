import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { runClient } from "../support/run-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

const { kubectl123 } = clientBinaries();
let server: ServerProcess;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "simulate-"));
  server = await startServer({ args: ["--simulate=nodes=3,cpu=4,zones=3"] });
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
});

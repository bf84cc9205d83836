import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { openWatches } from "../support/fixtures.js";
import { startServerHere } from "../support/in-process-server.js";
import { type ClientRun, runClient } from "../support/run-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

const binaries = clientBinaries();

/** What a user types, and what must come back: each step is a line of the transcript. */
interface Step {
  readonly args: string;
  readonly input?: string;
  readonly out?: RegExp | string;
  /** Exit status 1 with this on standard error. */
  readonly fails?: RegExp;
}

const deployment = (image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "${image}", ports: [{containerPort: 80}]}
`;

const pod = `
apiVersion: v1
kind: Pod
metadata: {name: solo, labels: {run: solo}}
spec: {containers: [{name: main, image: busybox}]}
`;

const several = `
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: key}
stringData: {password: swordfish}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {rules: [{host: web.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
`;

const steps: readonly Step[] = [
  { args: "create namespace demo", out: "namespace/demo created\n" },
  { args: "-n demo create configmap settings --from-literal=mode=fast", out: "configmap/settings created\n" },
  { args: "-n demo create configmap settings", fails: /configmaps "settings" already exists/ },
  { args: "-n demo get configmap settings", out: /^NAME +DATA +AGE\nsettings +1 +\d+s\n$/ },
  { args: "-n demo get configmap settings -o yaml", out: /data:\n {2}mode: fast\nkind: ConfigMap/ },
  { args: "-n demo get configmap nothing", fails: /configmaps "nothing" not found/ },
  { args: "-n demo apply -f -", input: deployment("nginx:1.20"), out: "deployment.apps/web created\n" },
  { args: "-n demo apply -f -", input: deployment("nginx:1.20"), out: "deployment.apps/web unchanged\n" },
  { args: "-n demo apply -f -", input: deployment("nginx:1.21"), out: "deployment.apps/web configured\n" },
  {
    args: "-n demo get deployment web -o jsonpath={.spec.template.spec.containers[0].image}",
    out: "nginx:1.21",
  },
  {
    args: "-n demo get deployments",
    out: /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/2 +0 +0 +\d+s\n$/,
  },
  { args: "-n demo create -f -", input: pod, out: "pod/solo created\n" },
  { args: "-n demo get pods", out: /^NAME +READY +STATUS +RESTARTS +AGE\nsolo +0\/1 +Pending +0 +\d+s\n$/ },
  { args: "-n demo get pods -o wide", out: /NODE +NOMINATED NODE +READINESS GATES/ },
  { args: "-n demo get pods --show-labels", out: /run=solo/ },
  { args: "-n demo get pods -l run=solo -o name", out: "pod/solo\n" },
  { args: "-n demo get pods -l run!=solo -o name", out: "" },
  { args: "-n demo get pods --field-selector=status.phase=Pending -o name", out: "pod/solo\n" },
  { args: "-n demo describe pod solo", out: /Name: +solo\n/ },
  { args: "-n demo describe deployment web", out: /Replicas: +2 desired/ },
  { args: "-n demo label pod solo tier=front", out: /pod\/solo labeled\n/ },
  { args: "-n demo annotate pod solo note=here", out: /pod\/solo annotated\n/ },
  { args: "-n demo label pod solo tier-", out: /pod\/solo (un)?labeled\n/ },
  {
    args: `-n demo patch pod solo --type=merge -p {"metadata":{"labels":{"patched":"yes"}}}`,
    out: "pod/solo patched\n",
  },
  { args: `-n demo patch deployment web -p {"spec":{"paused":true}}`, out: "deployment.apps/web patched\n" },
  { args: "-n demo set image deployment/web web=nginx:1.22", out: "deployment.apps/web image updated\n" },
  { args: "-n demo scale deployment web --replicas=5", out: "deployment.apps/web scaled\n" },
  { args: "-n demo get deployment web -o jsonpath={.spec.replicas}", out: "5" },
  { args: "-n demo rollout history deployment web", out: /deployment.apps\/web/ },
  {
    args: "-n demo apply -f -",
    input: several,
    out: /service\/web created\nsecret\/key created\nrole.rbac.authorization.k8s.io\/reader created\ningress.networking.k8s.io\/web created\n/,
  },
  { args: "-n demo get secret key -o jsonpath={.data.password}", out: "c3dvcmRmaXNo" },
  { args: "-n demo get service web -o jsonpath={.spec.clusterIP}", out: /^10\.\d+\.\d+\.\d+$/ },
  { args: "-n demo get ingress", out: /web +<none> +web\.example\.com +80/ },
  {
    args: "-n demo wait --for=jsonpath={.metadata.name}=solo pod/solo --timeout=5s",
    out: "pod/solo condition met\n",
  },
  { args: "-n demo get all", out: /deployment\.apps\/web/ },
  { args: "auth can-i create pods", out: "yes\n" },
  {
    args: "api-resources --api-group=apps -o name",
    out: "controllerrevisions.apps\ndaemonsets.apps\ndeployments.apps\nreplicasets.apps\nstatefulsets.apps\n",
  },
  { args: "api-versions", out: /apps\/v1\n[\s\S]*\nv1\n$/ },
  { args: "version", out: /Server Version: .*v?1\.23|GitVersion:"v1\.23/ },
  { args: "explain pod.spec.containers", out: /imagePullPolicy/ },
  { args: "-n demo diff -f -", input: deployment("nginx:1.23"), fails: /^$/ },
  { args: "-n demo delete pod solo --grace-period=0 --force", out: /pod "solo" (force )?deleted/ },
  { args: "-n demo delete deployment web", out: /deployment.apps "web" deleted/ },
  { args: "-n demo get deployments", out: "" },
  { args: "delete namespace demo --timeout=30s", out: /namespace "demo" deleted/ },
  { args: "get namespace demo", fails: /namespaces "demo" not found/ },
];

describe.each([
  ["1.23", binaries.kubectl123],
  ["current", binaries.kubectlCurrent],
])("kubectl %s", (version, kubectl) => {
  let server: ServerProcess;
  let home: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "kubectl-"));
    server = await startServer();
  });

  afterAll(async () => {
    await server.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const run = (args: string, input?: string): Promise<ClientRun> =>
    runClient(kubectl, args.split(" "), {
      kubeconfig: server.kubeconfig,
      home,
      ...(input !== undefined && { input }),
    });

  test.each(
    steps
      .filter((step) => version === "current" || !step.args.includes("--for=jsonpath"))
      .map((step, index) => [index, step.args, step] as const),
  )("step %d: %s", async (_index, args, step) => {
    const { status, stdout, stderr } = await run(args, step.input);
    if (step.fails !== undefined) {
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(step.fails) });
      return;
    }
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    if (step.out !== undefined) {
      expect(stdout).toEqual(typeof step.out === "string" ? step.out : expect.stringMatching(step.out));
    }
  });

  test("get --watch prints what happens", async () => {
    const api = new ApiClient(server);
    const args = ["get", "configmaps", "--watch-only", "-o", "name"];
    const watched = { kubeconfig: server.kubeconfig, home, until: /configmap\/watched/ };
    const watching = runClient(kubectl, args, watched);
    await expect.poll(() => openWatches(api, "configmaps")).toBe(1);
    await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "watched" } });
    expect((await watching).stdout).toContain("configmap/watched");
    await api.close();
  });
});

test("plain kubectl reads from a server of the other profile", async () => {
  const home = mkdtempSync(join(tmpdir(), "kubectl-"));
  const server = await startServerHere({ profile: "orch" });
  try {
    const options = { kubeconfig: server.kubeconfig, home };
    const created = await runClient(binaries.kubectl123, ["create", "configmap", "a"], options);
    expect(created).toMatchObject({ status: 0, stdout: "configmap/a created\n" });
    const listed = await runClient(binaries.kubectl123, ["get", "configmap", "a"], options);
    expect(listed.stdout).toMatch(/^NAME +DATA +AGE\na +0 +\d+s\n$/);
    const namespaces = await runClient(binaries.kubectlCurrent, ["get", "namespaces", "-o", "name"], options);
    expect(namespaces.stdout).toContain("namespace/orch-system");
  } finally {
    await server.dispose();
    rmSync(home, { recursive: true, force: true });
  }
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const { kubectl123: kubectl } = clientBinaries();
let ground: GroundHere;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "admission-"));
  const config = join(home, "admission.yaml");
  writeFileSync(
    config,
    [
      "apiVersion: apiserver.config.k8s.io/v1",
      "kind: AdmissionConfiguration",
      "plugins:",
      "- name: EventRateLimit",
      "  configuration:",
      "    apiVersion: eventratelimit.admission.k8s.io/v1alpha1",
      "    kind: Configuration",
      "    limits: [{type: Namespace, qps: 1, burst: 2}]",
      "- name: PodNodeSelector",
      "  path: selectors.yaml",
    ].join("\n"),
  );
  writeFileSync(
    join(home, "selectors.yaml"),
    "podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: env=test}\n",
  );
  ground = await openGroundHere([
    `--admission-control-config-file=${config}`,
    "--enable-admission-plugins=EventRateLimit,PodNodeSelector,AlwaysPullImages,DenyServiceExternalIPs",
    "--default-not-ready-toleration-seconds=7",
  ]);
});

afterAll(async () => {
  await ground?.dispose();
  rmSync(home, { recursive: true, force: true });
});

function run(args: readonly string[], input?: string) {
  return runClient(kubectl, args, {
    kubeconfig: ground.server.kubeconfig,
    home,
    ...(input !== undefined && { input }),
  });
}

function post(path: string, body: object) {
  return ground.api.ask("POST", path, { body });
}

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: "a", image: "a" }], ...spec },
});

test("a pod gets what the cluster gives it", async () => {
  const created = await run(["run", "web", "--image=web"]);
  expect(created.stderr).toBe("");
  const { body } = await ground.api.get("/api/v1/namespaces/default/pods/web");
  expect(body.spec).toMatchObject({
    serviceAccountName: "default",
    priority: 0,
    nodeSelector: { env: "test" },
    containers: [
      {
        imagePullPolicy: "Always",
        volumeMounts: [{ mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
      },
    ],
    tolerations: [{ key: "node.kubernetes.io/not-ready", tolerationSeconds: 7 }, { tolerationSeconds: 300 }],
  });
});

test("limits made a moment before count, for kubectl too", async () => {
  for (let index = 0; index < 20; index++) {
    const namespace = `limited-${index}`;
    await post("/api/v1/namespaces", { metadata: { name: namespace } });
    await post(`/api/v1/namespaces/${namespace}/limitranges`, {
      metadata: { name: "l" },
      spec: { limits: [{ type: "Container", max: { memory: "1Gi" } }] },
    });
    const resources = { limits: { memory: "2Gi" } };
    const refused = await post(
      `/api/v1/namespaces/${namespace}/pods`,
      pod("big", { containers: [{ name: "a", image: "a", resources }] }),
    );
    expect(refused.body.message).toBe(
      'pods "big" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
    );
    const admitted = await post(`/api/v1/namespaces/${namespace}/pods`, pod("small"));
    expect(admitted.body).toMatchObject({
      metadata: {
        annotations: {
          "kubernetes.io/limit-ranger": expect.stringContaining("memory limit for container a"),
        },
      },
    });
  }
});

test("Pod Security by labels: refusals, warnings, and pods that were there before", async () => {
  expect((await run(["create", "namespace", "secure"])).status).toBe(0);
  await expect
    .poll(async () => (await post("/api/v1/namespaces/secure/pods", pod("old", { hostPID: true }))).status)
    .toBe(201);
  const labelled = await run(["label", "namespace", "secure", "pod-security.kubernetes.io/enforce=baseline"]);
  expect(labelled.stderr).toContain(
    'existing pods in namespace "secure" violate the new PodSecurity enforce level "baseline:latest"',
  );
  expect(labelled.stderr).toContain("old: host namespaces");
  const manifest = JSON.stringify({ apiVersion: "v1", kind: "Pod", ...pod("new", { hostPID: true }) });
  const refused = await run(["create", "-n", "secure", "-f", "-"], manifest);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(
    'pods "new" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  );
  await run(["label", "namespace", "secure", "pod-security.kubernetes.io/warn=restricted"]);
  const warned = await run(["create", "deployment", "d", "-n", "secure", "--image=d"]);
  expect(warned.stderr).toContain(
    'would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
  );
  const wrong = await run([
    "label",
    "--overwrite",
    "namespace",
    "secure",
    "pod-security.kubernetes.io/enforce=loose",
  ]);
  expect(wrong.stderr).toContain("must be one of privileged, baseline, restricted");
});

test("claims are protected and deleted", async () => {
  const claim = {
    metadata: { name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const created = await post("/api/v1/namespaces/default/persistentvolumeclaims", claim);
  expect(created.body).toMatchObject({ metadata: { finalizers: ["kubernetes.io/pvc-protection"] } });
  await ground.api.ask("DELETE", "/api/v1/namespaces/default/persistentvolumeclaims/c");
  await expect
    .poll(async () => (await ground.api.get("/api/v1/namespaces/default/persistentvolumeclaims/c")).status)
    .toBe(404);
});

test("events have a rate, services no external addresses of their choice", async () => {
  const event = (name: string) => ({
    metadata: { name, namespace: "kube-public" },
    involvedObject: { namespace: "kube-public" },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 6; index++) {
    statuses.push((await post("/api/v1/namespaces/kube-public/events", event(`e${index}`))).status);
  }
  expect(statuses.slice(0, 2)).toEqual([201, 201]);
  expect(statuses).toContain(429);
  const service = await post("/api/v1/namespaces/default/services", {
    metadata: { name: "s" },
    spec: { ports: [{ port: 80 }], externalIPs: ["203.0.113.1"] },
  });
  expect(service).toMatchObject({ status: 403 });
});

test.each([
  ["--enable-admission-plugins=PodSafety", 'plugin "PodSafety" is unknown'],
  ["--enable-admission-plugins=LimitRanger,LimitRanger", 'plugin "LimitRanger" is named twice'],
  ["--enable-admission-plugins=EventRateLimit", "limits: Invalid value: []: must not be empty"],
  ["--admission-control-config-file=/nonexistent", "--admission-control-config-file"],
])("%s is one clear line and status 1", async (argument, message) => {
  await expect(startServerHere({ args: [argument] })).rejects.toThrow(message);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const { helm, kubectlCurrent } = clientBinaries();
let server: ServerHere;
let home: string;
let chart: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "helm-"));
  chart = join(home, "chart");
  writeChart(chart);
  server = await startServerHere();
});

afterAll(async () => {
  await server.dispose();
  rmSync(home, { recursive: true, force: true });
});

const run = (binary: string, args: string) =>
  runClient(binary, args.split(" "), { kubeconfig: server.kubeconfig, home });

async function image(): Promise<string> {
  return (
    await run(
      kubectlCurrent,
      "-n apps get deployment shop-web -o jsonpath={.spec.template.spec.containers[0].image}",
    )
  ).stdout;
}

test("Helm installs, upgrades, rolls back and uninstalls a chart of several kinds", async () => {
  const installed = await run(helm, `install shop ${chart} -n apps --create-namespace --set tag=1.0`);
  expect(installed).toMatchObject({ status: 0, stdout: expect.stringContaining("STATUS: deployed") });
  expect(await image()).toBe("nginx:1.0");
  const objects = await run(
    kubectlCurrent,
    "-n apps get deployment,service,configmap,secret,serviceaccount,role,rolebinding,ingress,job,cronjob,hpa,pdb,pvc,statefulset,daemonset,networkpolicy -o name -l app=shop",
  );
  expect(objects.stdout.trim().split("\n")).toHaveLength(16);

  const upgraded = await run(helm, `upgrade shop ${chart} -n apps --set tag=2.0`);
  expect(upgraded).toMatchObject({ status: 0, stdout: expect.stringContaining("REVISION: 2") });
  expect(await image()).toBe("nginx:2.0");

  const back = await run(helm, "rollback shop 1 -n apps");
  expect(back).toMatchObject({ status: 0 });
  expect(await image()).toBe("nginx:1.0");

  const listed = await run(helm, "list -n apps");
  expect(listed.stdout).toMatch(/shop\s+apps\s+3\s/);

  expect(await run(helm, "uninstall shop -n apps")).toMatchObject({ status: 0 });
  const left = await run(
    kubectlCurrent,
    "-n apps get deployment,service,configmap,secret,job -o name -l app=shop",
  );
  expect(left.stdout).toBe("");
});

function writeChart(folder: string): void {
  mkdirSync(join(folder, "templates"), { recursive: true });
  writeFileSync(
    join(folder, "Chart.yaml"),
    "apiVersion: v2\nname: shop\nversion: 0.1.0\nappVersion: '1.0'\n",
  );
  writeFileSync(join(folder, "values.yaml"), "tag: '1.0'\n");
  for (const [name, text] of Object.entries(templates))
    writeFileSync(join(folder, "templates", `${name}.yaml`), text);
}

const meta = "metadata: {name: shop-web, labels: {app: shop}}";
const template = `
  template:
    metadata: {labels: {app: shop, part: PART}}
    spec:
      containers: [{name: web, image: "nginx:{{ .Values.tag }}"}]`;

const templates: Readonly<Record<string, string>> = {
  deployment: `apiVersion: apps/v1\nkind: Deployment\n${meta}\nspec:\n  selector: {matchLabels: {app: shop, part: web}}${template.replace("PART", "web")}\n`,
  statefulset: `apiVersion: apps/v1\nkind: StatefulSet\n${meta}\nspec:\n  serviceName: shop-web\n  selector: {matchLabels: {app: shop, part: db}}${template.replace("PART", "db")}\n`,
  daemonset: `apiVersion: apps/v1\nkind: DaemonSet\n${meta}\nspec:\n  selector: {matchLabels: {app: shop, part: agent}}${template.replace("PART", "agent")}\n`,
  job: `apiVersion: batch/v1\nkind: Job\n${meta}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: once, image: busybox}]\n`,
  cronjob: `apiVersion: batch/v1\nkind: CronJob\n${meta}\nspec:\n  schedule: "*/5 * * * *"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: tick, image: busybox}]}}}}\n`,
  service: `apiVersion: v1\nkind: Service\n${meta}\nspec: {selector: {app: shop}, ports: [{port: 80}]}\n`,
  configmap: `apiVersion: v1\nkind: ConfigMap\n${meta}\ndata: {tag: "{{ .Values.tag }}"}\n`,
  secret: `apiVersion: v1\nkind: Secret\n${meta}\nstringData: {key: value}\n`,
  serviceaccount: `apiVersion: v1\nkind: ServiceAccount\n${meta}\n`,
  role: `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n${meta}\nrules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n`,
  rolebinding: `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n${meta}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: shop-web}\nsubjects: [{kind: ServiceAccount, name: shop-web}]\n`,
  ingress: `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${meta}\nspec: {defaultBackend: {service: {name: shop-web, port: {number: 80}}}}\n`,
  networkpolicy: `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${meta}\nspec: {podSelector: {}, policyTypes: [Ingress]}\n`,
  hpa: `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n${meta}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop-web}, maxReplicas: 3}\n`,
  pdb: `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${meta}\nspec: {minAvailable: 1, selector: {matchLabels: {app: shop}}}\n`,
  pvc: `apiVersion: v1\nkind: PersistentVolumeClaim\n${meta}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n`,
};

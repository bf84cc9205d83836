import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type GroundHere, mergePatch, openGroundHere, openWatches, pod, until } from "../support/fixtures.js";
import { type ClientRun, runClient } from "../support/run-client.js";

const binaries = clientBinaries();

describe.each([
  ["1.23", binaries.kubectl123],
  ["current", binaries.kubectlCurrent],
])("kubectl %s", (version, kubectl) => {
  let ground: GroundHere;
  let home: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "kubectl-"));
    ground = await openGroundHere();
  });

  afterAll(async () => {
    await ground.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const run = (args: string, input?: string, env?: Readonly<Record<string, string>>): Promise<ClientRun> =>
    runClient(kubectl, args.split(" "), {
      kubeconfig: ground.server.kubeconfig,
      home,
      ...(input !== undefined && { input }),
      ...(env !== undefined && { env }),
    });
  /** The standard output of what must succeed. */
  const ok = async (
    args: string,
    input?: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const { status, stdout, stderr } = await run(args, input, env);
    expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({ args, status: 0, stderr: "" });
    return stdout;
  };
  const fails = async (args: string, input?: string): Promise<string> => {
    const { status, stderr } = await run(args, input);
    expect([args, status === 0]).toEqual([args, false]);
    return stderr;
  };
  const field = (what: string, path: string): Promise<string> => ok(`get ${what} -o jsonpath={${path}}`);

  const web = (image: string, more = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  ${more}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${image}"}]}
`;
  const settings = (data: string, name = "settings", labels = "{app: settings}"): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: ${labels}}\ndata: ${data}\n`;

  test("apply remembers what it applied, and takes away what is no longer there", async () => {
    expect(await ok("apply -f -", settings("{a: '1', b: '1'}"))).toBe("configmap/settings created\n");
    expect(await ok("apply view-last-applied configmap settings")).toContain('a: "1"');
    await ok('patch configmap settings --type=merge -p {"data":{"c":"1"}}');
    expect(await ok("apply -f -", settings("{a: '2'}"))).toBe("configmap/settings configured\n");
    expect(JSON.parse(await field("configmap settings", ".data"))).toEqual({ a: "2", c: "1" });
  });

  test("apply --server-side conflicts, and takes over by force", async () => {
    expect(await ok("apply --server-side --field-manager=one -f -", settings("{a: '1'}", "shared"))).toBe(
      "configmap/shared serverside-applied\n",
    );
    const conflict = await fails(
      "apply --server-side --field-manager=two -f -",
      settings("{a: '2'}", "shared"),
    );
    expect(conflict).toContain('Apply failed with 1 conflict: conflict with "one": .data.a');
    await ok(
      "apply --server-side --field-manager=two --force-conflicts -f -",
      settings("{a: '2'}", "shared"),
    );
    expect(await field("configmap shared", ".data.a")).toBe("2");
    const lost = await fails("apply --server-side --field-manager=one -f -", settings("{a: '1'}", "shared"));
    expect(lost).toContain('conflict with "two": .data.a');
    // From client-side apply to the server's.
    await ok("apply --server-side -f -", settings("{a: '3'}"));
    expect(await field("configmap settings", ".data.a")).toBe("3");
  });

  test("apply --prune removes what is left out", async () => {
    const one = settings("{}", "prune-1", "{set: pruned}");
    const two = settings("{}", "prune-2", "{set: pruned}");
    await ok("apply -f -", `${one}\n---\n${two}`);
    const allow = version === "1.23" ? "--prune-whitelist" : "--prune-allowlist";
    const out = await ok(`apply --prune -l set=pruned ${allow}=core/v1/ConfigMap -f -`, one);
    expect(out).toContain("configmap/prune-2 pruned");
    expect(await fails("get configmap prune-2")).toContain("not found");
  });

  test("edit stores what the editor leaves", async () => {
    const editor = join(home, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/a: .*/a: edited/" "$1"\n');
    chmodSync(editor, 0o755);
    expect(await ok("edit configmap settings", undefined, { EDITOR: editor })).toBe(
      "configmap/settings edited\n",
    );
    expect(await field("configmap settings", ".data.a")).toBe("edited");
  });

  test("set image, scale, autoscale, expose and undo work on a deployment", async () => {
    await ok("create -f -", web("web:1", "replicas: 2"));
    await asRevision("web", 1, "web:1");
    expect(await ok("set image deployment/web web=web:2")).toBe("deployment.apps/web image updated\n");
    await asRevision("web", 2, "web:2");
    expect(await ok("rollout history deployment/web")).toMatch(/\n1 .*\n2 /);
    expect(await ok("rollout undo deployment/web")).toContain("rolled back");
    expect(await field("deployment web", ".spec.template.spec.containers[0].image")).toBe("web:1");
    expect(await ok("rollout pause deployment/web")).toContain("paused");
    expect(await ok("rollout resume deployment/web")).toContain("resumed");
    expect(await ok("rollout restart deployment/web")).toContain("restarted");
    expect(await ok("scale deployment/web --current-replicas=2 --replicas=4")).toContain("scaled");
    expect(await field("deployment web", ".spec.replicas")).toBe("4");
    expect(await fails("scale deployment/web --current-replicas=9 --replicas=1")).toMatch(
      /[Ee]xpected replicas/,
    );
    expect(await ok("autoscale deployment/web --min=1 --max=5 --cpu-percent=80")).toContain("autoscaled");
    expect(
      await field("horizontalpodautoscalers.v1.autoscaling web", ".spec.targetCPUUtilizationPercentage"),
    ).toBe("80");
    expect(await ok("expose deployment/web --port=80 --target-port=8080")).toContain("exposed");
    expect(await field("service web", ".spec.selector.app")).toBe("web");
    expect(await ok("set resources deployment/web --limits=cpu=1")).toContain(
      "resource requirements updated",
    );
    expect(await ok("set env deployment/web A=b")).toContain("env updated");
  });

  /** What the deployment controller would do. */
  async function asRevision(name: string, revision: number, image: string): Promise<void> {
    const { api } = ground;
    const { body: owner } = await api.get(`/apis/apps/v1/namespaces/default/deployments/${name}`);
    const labels = { app: name, "pod-template-hash": `h${revision}` };
    const answer = await api.post("/apis/apps/v1/namespaces/default/replicasets", {
      metadata: {
        name: `${name}-${revision}`,
        labels,
        annotations: { "deployment.kubernetes.io/revision": String(revision) },
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "Deployment", name, uid: owner.metadata.uid, controller: true },
        ],
      },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name, image }] } },
      },
    });
    expect(answer.status, answer.text).toBe(201);
    const annotated = await api.patch(`/apis/apps/v1/namespaces/default/deployments/${name}`, mergePatch, {
      metadata: { annotations: { "deployment.kubernetes.io/revision": String(revision) } },
    });
    expect(annotated.status).toBe(200);
  }

  test("create makes every kind that it knows", async () => {
    const certificate = join(home, "tls.crt");
    const key = join(home, "tls.key");
    const pem = Buffer.from(
      / {4}client-certificate-data: "?([\w+/=]+)/.exec(await kubeconfigText())?.[1] ?? "",
      "base64",
    );
    const keyPem = Buffer.from(
      / {4}client-key-data: "?([\w+/=]+)/.exec(await kubeconfigText())?.[1] ?? "",
      "base64",
    );
    writeFileSync(certificate, pem);
    writeFileSync(key, keyPem);
    const creations = [
      ["clusterrole made --verb=get --resource=pods", "clusterrole.rbac.authorization.k8s.io/made"],
      [
        "clusterrolebinding made --clusterrole=made --user=u",
        "clusterrolebinding.rbac.authorization.k8s.io/made",
      ],
      ["configmap made --from-literal=a=b", "configmap/made"],
      ["cronjob made --image=a --schedule=@daily", "cronjob.batch/made"],
      ["deployment made --image=a --replicas=0", "deployment.apps/made"],
      ["ingress made --rule=a.example.com/x*=web:80", "ingress.networking.k8s.io/made"],
      ["job made --image=a", "job.batch/made"],
      ["job from-cron --from=cronjob/made", "job.batch/from-cron"],
      ["namespace made", "namespace/made"],
      ["poddisruptionbudget made --selector=app=x --min-available=1", "poddisruptionbudget.policy/made"],
      ["priorityclass made --value=5", "priorityclass.scheduling.k8s.io/made"],
      ["quota made --hard=pods=10 -n made", "resourcequota/made"],
      ["role made --verb=get --resource=pods", "role.rbac.authorization.k8s.io/made"],
      [
        "rolebinding made --role=made --serviceaccount=default:default",
        "rolebinding.rbac.authorization.k8s.io/made",
      ],
      [
        "secret docker-registry made-1 --docker-server=r --docker-username=u --docker-password=p",
        "secret/made-1",
      ],
      ["secret generic made-2 --from-literal=a=b", "secret/made-2"],
      [`secret tls made-3 --cert=${certificate} --key=${key}`, "secret/made-3"],
      ["service clusterip made-1 --tcp=80:80", "service/made-1"],
      ["service externalname made-2 --external-name=example.com", "service/made-2"],
      ["service loadbalancer made-3 --tcp=80:80", "service/made-3"],
      ["service nodeport made-4 --tcp=80:80", "service/made-4"],
      ["serviceaccount made", "serviceaccount/made"],
    ] as const;
    for (const [args, made] of creations) {
      expect(await ok(`create --dry-run=server ${args}`)).toBe(`${made} created (server dry run)\n`);
      expect(await ok(`create ${args}`)).toBe(`${made} created\n`);
    }
  });

  async function kubeconfigText(): Promise<string> {
    const { readFileSync } = await import("node:fs");
    return readFileSync(ground.server.kubeconfig, "utf8");
  }

  test("replace --force deletes and creates", async () => {
    const before = await field("configmap shared", ".metadata.uid");
    const out = await ok("replace --force -f -", settings("{z: '1'}", "shared"));
    expect(out).toMatch(/configmap "shared" deleted.*\nconfigmap\/shared replaced\n$/);
    expect(await field("configmap shared", ".metadata.uid")).not.toBe(before);
    await ok("replace -f -", settings("{w: '1'}", "shared"));
    expect(JSON.parse(await field("configmap shared", ".data"))).toEqual({ w: "1" });
  });

  test("label and annotate overwrite when told to", async () => {
    await ok("label configmap shared tier=a");
    expect(await fails("label configmap shared tier=b")).toContain("already has a value");
    await ok("label --overwrite configmap shared tier=b");
    await ok("annotate configmap shared note=a");
    await ok("annotate --overwrite configmap shared note=b");
    expect(await ok("label configmaps --all all=yes")).toContain("configmap/shared labeled");
    const { labels, annotations } = JSON.parse(await field("configmap shared", ".metadata"));
    expect([labels.tier, annotations.note]).toEqual(["b", "b"]);
  });

  test("cordon, taint and drain a node, as its budget allows", async () => {
    const { api } = ground;
    await api.post("/api/v1/nodes", { metadata: { name: "n1" } });
    expect(await ok("cordon n1")).toBe("node/n1 cordoned\n");
    expect(await field("node n1", ".spec.unschedulable")).toBe("true");
    expect(await ok("taint nodes n1 k=v:NoSchedule")).toBe("node/n1 tainted\n");
    expect(await ok("taint nodes n1 k-")).toBe("node/n1 untainted\n");
    expect(await ok("uncordon n1")).toBe("node/n1 uncordoned\n");
    const pods = "/api/v1/namespaces/default/pods";
    for (const name of ["d1", "d2"]) {
      await api.post(
        pods,
        pod(name, { nodeName: "n1", terminationGracePeriodSeconds: 0 }, { labels: { app: "drained" } }),
      );
      await api.patch(`${pods}/${name}/status`, mergePatch, {
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      });
    }
    const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    await ok("create poddisruptionbudget drained --selector=app=drained --min-available=1");
    const allow = (disruptionsAllowed: number): Promise<unknown> =>
      api.patch(`${budgets}/drained/status`, mergePatch, {
        status: {
          observedGeneration: 1,
          disruptionsAllowed,
          currentHealthy: 2,
          desiredHealthy: 1,
          expectedPods: 2,
        },
      });
    await allow(1);
    const drain = "drain n1 --force --ignore-daemonsets --grace-period=0";
    const stuck = await run(`${drain} --timeout=3s`);
    expect(stuck.status).not.toBe(0);
    expect(stuck.stderr).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    expect((await api.get(`${pods}?labelSelector=app%3Ddrained`)).body.items).toHaveLength(1);
    expect((await api.get(`${budgets}/drained`)).body.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: expect.anything(),
    });
    await allow(1);
    expect(await ok(drain)).toContain("node/n1 drained");
    expect((await api.get(`${pods}?labelSelector=app%3Ddrained`)).body.items).toHaveLength(0);
  });

  test("delete cascades in the foreground, or orphans", async () => {
    const { api } = ground;
    const sets = "/apis/apps/v1/namespaces/default/replicasets";
    await ok("create deployment cascade --image=a --replicas=0");
    await asRevision("cascade", 1, "a");
    await ok("delete deployment cascade --cascade=orphan");
    expect((await api.get(`${sets}/cascade-1`)).body.metadata.ownerReferences).toBeUndefined();
    await api.delete(`${sets}/cascade-1`);
    await ok("create deployment cascade --image=a --replicas=0");
    await asRevision("cascade", 2, "a");
    await ok("delete deployment cascade --cascade=foreground --timeout=30s");
    const gone = await until(
      () => api.get(`${sets}/cascade-2`),
      ({ status }) => status === 404,
    );
    expect(gone.status).toBe(404);
  });

  test("certificates are approved and denied", async () => {
    const request = await testSigningRequest({ commonName: "x" });
    for (const name of ["good", "bad"]) {
      await ok(
        "create -f -",
        `apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: ${name}}\nspec: {request: ${request}, signerName: example.com/s, usages: [client auth]}\n`,
      );
    }
    expect(await ok("certificate approve good")).toContain("good approved");
    expect(await ok("certificate deny bad")).toContain("bad denied");
    expect(await ok("get csr good bad --no-headers")).toMatch(/^good .* Approved\s*\nbad .* Denied\s*$/);
    expect(await field("csr good", ".status.conditions[0].type")).toBe("Approved");
    expect(await field("csr bad", ".status.conditions[0].type")).toBe("Denied");
  });

  test("wait sees a deletion", async () => {
    await ok("create configmap waited");
    const waiting = ok("wait --for=delete configmap/waited --timeout=20s");
    await expect.poll(() => openWatches(ground.api, "configmaps")).toBe(1);
    await ok("delete configmap waited");
    await waiting;
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiLevels, isAtLeast } from "../../src/apimachinery/levels/api-level.js";
import type { ApiLevel } from "../../src/index.js";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition, boatVersion } from "../support/boat-definition.js";
import { BoatOperator, boatFinalizer } from "../support/boat-operator.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ClientOptions, runClient } from "../support/run-client.js";

/** The built package, as a program imports it; its types are those of the source. */
const built = join(process.cwd(), "bin/library.mjs");
const { startApiServer }: typeof import("../../src/index.js") = await import(built);

const { helm, kubectlCurrent } = clientBinaries();
const home = mkdtempSync(join(tmpdir(), "level-matrix-"));

afterAll(() => rmSync(home, { recursive: true, force: true }));

interface LevelServer {
  readonly level: ApiLevel;
  readonly api: ApiClient;
  readonly config: KubeConfig;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

async function startAt(level: ApiLevel): Promise<LevelServer> {
  const server = await startApiServer({ level });
  const kubeconfig = join(home, `kubeconfig-${level}`);
  writeFileSync(kubeconfig, server.kubeconfig);
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const api = new ApiClient({ url: server.url, kubeconfig });
  return {
    level,
    api,
    config,
    kubeconfig,
    async stop() {
      await api.close();
      await server.stop();
    },
  };
}

/** Resolves with what a client printed, which must have ended well. */
async function printed(binary: string, args: readonly string[], options: ClientOptions): Promise<string> {
  const { status, stdout, stderr } = await runClient(binary, args, options);
  expect(status, `${args.join(" ")}: ${stderr}`).toBe(0);
  return stdout + stderr;
}

const boats = "/apis/example.com/v1/namespaces/default/boats";

/** At most nine sails, by a rule. */
function ruledBoats() {
  const { schema, ...version } = boatVersion;
  const { openAPIV3Schema } = schema;
  const { properties } = openAPIV3Schema;
  const rules = [{ rule: "self.sails < 10", message: "too many sails" }];
  const spec = { ...properties.spec, "x-kubernetes-validations": rules };
  const ruled = { ...openAPIV3Schema, properties: { ...properties, spec } };
  return boatDefinition({ versions: [{ ...version, schema: { openAPIV3Schema: ruled } }] });
}

describe("one operator on servers of four levels in one process", () => {
  const levels = ["1.23", "1.28", "1.32", "1.36"] as const satisfies readonly ApiLevel[];
  const servers: LevelServer[] = [];
  const operators: BoatOperator[] = [];

  beforeAll(async () => {
    for (const level of levels) servers.push(await startAt(level));
    for (const { api } of servers) {
      const definition = await api.post(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        ruledBoats(),
      );
      expect(definition.status, definition.text).toBe(201);
      await vi.waitFor(async () => expect((await api.get(boats)).status).toBe(200), 60_000);
    }
  });

  afterAll(async () => {
    for (const operator of operators) await operator.stop();
    for (const server of servers) await server.stop();
  });

  test("it leads, follows its objects, owns others and tells the status", async () => {
    const statusOf = async ({ api }: LevelServer, name: string) =>
      (await api.get(`${boats}/${name}`)).body.status;
    const logOf = async ({ api }: LevelServer, name: string) =>
      await api.get(`/api/v1/namespaces/default/configmaps/log-of-${name}`);
    for (const { level, config } of servers) {
      const operator = new BoatOperator(`of-${level}`, config);
      operators.push(operator);
      await operator.start();
    }
    expect(operators.map(({ isLeader }) => isLeader)).toEqual([true, true, true, true]);

    for (const [index, server] of servers.entries()) {
      await server.api.post(boats, boat(`boat-${index}`, { sails: index + 1 }));
    }
    for (const [index, server] of servers.entries()) {
      const name = `boat-${index}`;
      await expect
        .poll(() => statusOf(server, name), { message: server.level })
        .toEqual({ sails: index + 1 });
      const { body } = await server.api.get(boats);
      // Each server has its own objects and no others.
      expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([name]);
      expect(body.items[0].metadata.finalizers).toEqual([boatFinalizer]);
      expect((await logOf(server, name)).body.metadata.ownerReferences).toMatchObject([
        { kind: "Boat", name },
      ]);
      const lease = await server.api.get(
        "/apis/coordination.k8s.io/v1/namespaces/default/leases/boat-operator",
      );
      expect(lease.body.spec.holderIdentity).toBe(`of-${server.level}`);
      await server.api.delete(`${boats}/${name}`);
    }
    for (const [index, server] of servers.entries()) {
      await expect.poll(async () => (await logOf(server, `boat-${index}`)).status).toBe(404);
    }
    expect(operators.flatMap(({ failures }) => failures).map(String)).toEqual([]);
  });

  test("each enforces the rules of definitions, and has the kinds and fields, that its level has", async () => {
    for (const { level, api } of servers) {
      const since = (first: ApiLevel, here: unknown, before: unknown) =>
        isAtLeast(level, first) ? here : before;
      const answer = await api.post(`${boats}?dryRun=All`, boat("large", { sails: 10 }));
      expect(answer.status, level).toBe(since("1.25", 422, 201));
      if (isAtLeast(level, "1.25")) expect(answer.body.message).toContain("too many sails");

      const statusOf = async (path: string) => (await api.get(path)).status;
      expect(await statusOf("/apis/policy/v1beta1/podsecuritypolicies")).toBe(since("1.25", 404, 200));
      expect(await statusOf("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies")).toBe(
        since("1.30", 200, 404),
      );
      const pod = await api.post("/api/v1/namespaces/default/pods?dryRun=All", {
        metadata: { name: "gated" },
        spec: { schedulingGates: [{ name: "a/b" }], containers: [{ name: "c", image: "i" }] },
      });
      expect(pod.body.spec.schedulingGates, level).toEqual(since("1.27", [{ name: "a/b" }], undefined));
    }
  });
});

test("Helm installs a chart for 1.25 and later at 1.35, and refuses it at 1.23", async () => {
  const chart = join(home, "chart");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(
    join(chart, "Chart.yaml"),
    'apiVersion: v2\nname: wanting\nversion: 1.0.0\nkubeVersion: ">=1.25"\n',
  );
  writeFileSync(
    join(chart, "templates/map.yaml"),
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-the-chart}\n",
  );
  for (const level of ["1.23", "1.35"] as const) {
    const server = await startAt(level);
    const { kubeconfig, api } = server;
    const { status, stderr } = await runClient(helm, ["install", "x", chart], { kubeconfig, home });
    const map = await api.get("/api/v1/namespaces/default/configmaps/of-the-chart");
    if (level === "1.23") {
      expect([status, map.status]).toEqual([1, 404]);
      expect(stderr).toContain("chart requires kubeVersion: >=1.25 which is incompatible");
    } else {
      expect([status, stderr, map.status]).toEqual([0, "", 200]);
    }
    await server.stop();
  }
});

const podText = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n";
const webText = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
`;
const mapText = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {a: b}\n";

test.each(apiLevels)("kubectl of 1.35 works at %s", async (level) => {
  const server = await startAt(level);
  const options = { kubeconfig: server.kubeconfig, home: join(home, `of-${level}`) };
  const kubectl = (line: string, input?: string) =>
    printed(kubectlCurrent, line.split(" "), { ...options, ...(input !== undefined && { input }) });

  expect(await kubectl("create -f -", `${podText}---\n${webText}`)).toBe(
    "pod/p created\ndeployment.apps/web created\n",
  );
  expect(await kubectl("get pods,deployments")).toMatch(
    /pod\/p +0\/1 +Pending[\s\S]*deployment.apps\/web +0\/1/,
  );
  expect(await kubectl("apply --server-side -f -", mapText)).toBe("configmap/applied serverside-applied\n");
  expect(await kubectl("explain pods.spec.restartPolicy")).toMatch(
    /VERSION: +v1\n[\s\S]*restartPolicy <string>/,
  );
  expect(await kubectl("debug p --image=busybox --container=look")).not.toContain("rror");
  const { body } = await server.api.get("/api/v1/namespaces/default/pods/p");
  expect(body.spec.ephemeralContainers).toMatchObject([{ name: "look" }]);
  expect(await kubectl("rollout restart deployment/web")).toBe("deployment.apps/web restarted\n");
  const whoAmI = await runClient(kubectlCurrent, ["auth", "whoami", "-o", "name"], options);
  expect(whoAmI.status, whoAmI.stderr).toBe(isAtLeast(level, "1.28") ? 0 : 1);
  if (whoAmI.status === 1) expect(whoAmI.stderr).toContain("the selfsubjectreviews API is not enabled");
  await server.stop();
});

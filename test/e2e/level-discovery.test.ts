import { afterEach, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import { type ClientRun, runClient } from "../support/run-client.js";

const { kubectlCurrent } = clientBinaries();
let server: InProcessServer | undefined;

afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

async function startAt(apiLevel: ApiLevel, runtimeConfig: Readonly<Record<string, string>> = {}) {
  server = await startInProcess({ apiLevel, runtimeConfig: new Map(Object.entries(runtimeConfig)) });
  return server;
}

function kubectl({ kubeconfig, directory }: InProcessServer, args: string, input = ""): Promise<ClientRun> {
  return runClient(kubectlCurrent, args.split(" "), { kubeconfig, home: directory, input });
}

const disruptionBudget = `
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`;

describe("a version that is removed at 1.25", () => {
  test("is served with a warning at 1.24", async () => {
    const { status, stdout, stderr } = await kubectl(await startAt("1.24"), "create -f -", disruptionBudget);
    expect([status, stdout]).toEqual([0, "poddisruptionbudget.policy/web created\n"]);
    expect(stderr).toBe(
      "Warning: policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget\n",
    );
  });

  test("is unknown at 1.25", async () => {
    const running = await startAt("1.25");
    const { status, stderr } = await kubectl(running, "create -f -", disruptionBudget);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"'),
    ]);
    const listed = await kubectl(running, "api-versions");
    expect(listed.stdout.split("\n")).toEqual(expect.arrayContaining(["policy/v1", "batch/v1"]));
    expect(listed.stdout).not.toMatch(/^(batch|policy)\/v1beta1$/m);
    expect((await kubectl(running, "get podsecuritypolicies")).stderr).toContain(
      'the server doesn\'t have a resource type "podsecuritypolicies"',
    );
  });
});

describe("the caller's own attributes", () => {
  const groups = ["system:masters", "system:authenticated"];

  test("are shown since 1.28 by default", async () => {
    const { status, stdout } = await kubectl(await startAt("1.28"), "auth whoami -o json");
    expect(status).toBe(0);
    const review = JSON.parse(stdout);
    expect(review).toMatchObject({ kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" });
    expect(review.metadata).toEqual({ creationTimestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(review.status.userInfo.groups).toEqual(groups);
  });

  test("are those of the impersonated user", async () => {
    const run = await kubectl(await startAt("1.35"), "auth whoami --as=jane --as-group=team -o json");
    expect(JSON.parse(run.stdout).status.userInfo).toMatchObject({
      username: "jane",
      groups: ["team", "system:authenticated"],
    });
  });

  test("are shown at 1.27 when the version is enabled, and anyone may ask", async () => {
    const running = await startAt("1.26", { "authentication.k8s.io/v1alpha1": "true" });
    // Its gate is off there.
    expect((await kubectl(running, "auth whoami")).status).toBe(1);
    await running.dispose();
    server = await startAt("1.27", { "authentication.k8s.io/v1beta1": "true" });
    const run = await kubectl(server, "auth whoami --as=jane -o json");
    expect(JSON.parse(run.stdout)).toMatchObject({
      apiVersion: "authentication.k8s.io/v1beta1",
      status: { userInfo: { username: "jane", groups: ["system:authenticated"] } },
    });
    expect(
      (await kubectl(server, "auth can-i create selfsubjectreviews.authentication.k8s.io --as=jane")).stdout,
    ).toBe("yes\n");
  });
});

test("kubectl names resources in the singular, and finds those of the newest level", async () => {
  const running = await startAt("1.36");
  const { stdout } = await kubectl(running, "api-resources -o wide --sort-by=name");
  expect(stdout).toMatch(/^csistoragecapacities +storage\.k8s\.io\/v1 +true +CSIStorageCapacity/m);
  expect(stdout).not.toContain("v1beta1");
  const { body } = await running.api.get("/api/v1");
  expect(body).toMatchObject({
    resources: expect.arrayContaining([expect.objectContaining({ name: "pods", singularName: "pod" })]),
  });
});

test.each<[ApiLevel, string, string]>([
  ["1.25", "none", "none"],
  ["1.27", "v2beta1", "none"],
  ["1.30", "v2beta1", "v2"],
  ["1.33", "none", "v2"],
])("discovery in one document at %s: beta %s, stable %s", async (level, beta, stable) => {
  const { api } = await startAt(level);
  const offered = async (version: string) => {
    const accept = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;
    const { body, headers } = await api.ask("GET", "/apis", { headers: { accept } });
    const isWhole = body.kind === "APIGroupDiscoveryList";
    expect(headers["cache-control"]).toBe(isWhole ? "public" : "no-cache, private");
    return isWhole ? body.apiVersion.split("/")[1] : "none";
  };
  expect([await offered("v2beta1"), await offered("v2")]).toEqual([beta, stable]);
});

test.each<[ApiLevel, boolean, boolean]>([
  ["1.34", true, false],
  ["1.35", false, false],
  ["1.35", true, true],
  ["1.36", true, true],
])(
  "discovery without other servers, at %s and with the gate %s, is counted: %s",
  async (level, gate, counted) => {
    server = await startInProcess({
      apiLevel: level,
      featureGates: new Map([["UnknownVersionInteroperabilityProxy", gate]]),
    });
    const { api } = server;
    const own = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const document = async (accept: string) => {
      const answer = await api.ask("GET", "/apis", { headers: { accept } });
      return [answer.headers["content-type"], answer.text];
    };
    expect(await document(`${own};profile=nopeer`)).toEqual(await document(own));
    const { text } = await api.get("/metrics");
    const [, count] = /^aggregator_discovery_nopeer_requests_total (\d+)$/m.exec(text) ?? [];
    expect(count).toBe(counted ? "1" : undefined);
  },
);

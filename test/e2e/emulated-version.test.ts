import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const started: ServerHere[] = [];
const clients: ApiClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await disposeAll(started);
});

async function start(...args: readonly string[]) {
  const server = await startServerHere({ args });
  started.push(server);
  const api = new ApiClient(server);
  clients.push(api);
  return { api, server };
}

async function served(api: ApiClient): Promise<readonly string[]> {
  const { groups } = (await api.get("/apis")).body;
  return groups.flatMap(({ versions }: { versions: readonly { groupVersion: string }[] }) =>
    versions.map(({ groupVersion }) => groupVersion),
  );
}

test.each([
  ["1.31", "1.30", {}],
  ["1.33", "1.31", { emulationMajor: "1", emulationMinor: "31", minCompatibilityMinor: "31" }],
  ["1.36", "1.33", { emulationMajor: "1", emulationMinor: "33", minCompatibilityMinor: "33" }],
])(
  "a server of %s that emulates %s has its APIs and gates, and its own version",
  async (own, emulated, more) => {
    const emulating = await start(`--api-level=${own}`, `--emulated-version=kube=${emulated}`);
    const of = await start(`--api-level=${emulated}`);
    const [, minor] = own.split(".");
    const { body } = await emulating.api.get("/version");
    expect(body).toMatchObject({ major: "1", minor, ...more });
    expect(body.gitVersion).toMatch(new RegExp(`^v${own.replace(".", "\\.")}\\.0`));
    expect("emulationMajor" in body).toBe("emulationMajor" in more);
    expect(await served(emulating.api)).toEqual(await served(of.api));
    const gates = async (api: ApiClient) => {
      const { text } = await api.get("/metrics");
      return text.split("\n").filter((line) => line.startsWith("kubernetes_feature_enabled{"));
    };
    expect(await gates(emulating.api)).toEqual(await gates(of.api));
  },
);

test("the option is one of 1.31", async () => {
  await expect(start("--api-level=1.30", "--emulated-version=kube=1.30")).rejects.toThrow(
    "--emulated-version: unknown option at API level 1.30: it was added in 1.31",
  );
});

test.each([
  ["1.35", ["--emulated-version=1.34"], "33"],
  ["1.36", [], "35"],
  ["1.36", ["--min-compatibility-version=kube=1.33"], "33"],
])("what a server of %s with %o stores and takes, one of 1.%s can read", async (own, more, oldest) => {
  const { api } = await start(`--api-level=${own}`, ...more);
  expect((await api.get("/version")).body.minCompatibilityMinor).toBe(oldest);
  const knows134 = Number(oldest) >= 34;

  // Of 1.34, in a version of 1.34.
  const { resources } = (await api.get("/apis/storage.k8s.io/v1")).body;
  const { storageVersionHash } = resources.find(
    ({ name }: { name: string }) => name === "volumeattributesclasses",
  );
  const hashOf = (version: string) =>
    createHash("sha256").update(`storage.k8s.io/${version}/VolumeAttributesClass`).digest().subarray(0, 8);
  expect(storageVersionHash).toBe(hashOf(knows134 ? "v1" : "v1beta1").toString("base64"));

  const rule = (expression: string) =>
    api.post("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All", {
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }],
        },
        validations: [{ expression }],
      },
    });
  expect((await rule("[2, 1].isSorted()")).status).toBe(201);
  expect((await rule("[2, 1].sort()[0] == 1")).status).toBe(knows134 ? 201 : 422);
});

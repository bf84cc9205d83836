import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiLevel, RunningApiServer } from "../../src/index.js";
import { ApiClient } from "../support/api-client.js";

/** The built package, as a program imports it; its types are those of the source. */
const { startApiServer }: typeof import("../../src/index.js") = await import(
  join(process.cwd(), "bin/library.mjs")
);

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const jsonPatch = "application/json-patch+json";
let home: string;
const running = new Map<ApiLevel, { readonly server: RunningApiServer; readonly api: ApiClient }>();

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "later-definitions-"));
  for (const level of ["1.30", "1.36"] as const) {
    const server = await startApiServer({ level });
    const kubeconfig = join(home, level);
    writeFileSync(kubeconfig, server.kubeconfig);
    running.set(level, { server, api: new ApiClient({ url: server.url, kubeconfig }) });
  }
});

afterAll(async () => {
  for (const { api, server } of running.values()) {
    await api.close();
    await server.stop();
  }
  rmSync(home, { recursive: true, force: true });
});

function apiAt(level: ApiLevel): ApiClient {
  const found = running.get(level);
  if (found === undefined) throw new Error(`no server of ${level}`);
  return found.api;
}

function definition(plural: string, caBundle?: string) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural, kind: plural },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                size: { type: "integer", format: "int32" },
                mark: { type: "string", format: "x" },
              },
            },
          },
        },
      ],
      ...(caBundle !== undefined && {
        conversion: {
          strategy: "Webhook",
          webhook: {
            clientConfig: { url: "https://127.0.0.1:1", caBundle },
            conversionReviewVersions: ["v1"],
          },
        },
      }),
    },
  };
}

const conditionOf = async (api: ApiClient, name: string, type: string) => {
  const { body } = await api.get(`${definitions}/${name}`);
  return body.status?.conditions?.find((one: { type: string }) => one.type === type);
};

test("a definition warns of unknown formats, and numbers fit their format", async () => {
  const api = apiAt("1.36");
  const created = await api.post(definitions, definition("cars"));
  expect(created.status).toBe(201);
  expect(created.headers.warning).toBe('299 - "unrecognized format \\"x\\""');
  await expect
    .poll(() => conditionOf(api, "cars.example.com", "Established"))
    .toMatchObject({ status: "True" });
  const patch = [{ op: "add", path: "/spec/names/shortNames", value: ["cr"] }];
  expect((await api.patch(`${definitions}/cars.example.com`, jsonPatch, patch)).status).toBe(200);
  await expect
    .poll(async () => (await api.get(`${definitions}/cars.example.com`)).body.status)
    .toMatchObject({ acceptedNames: { shortNames: ["cr"] } });
  const car = { apiVersion: "example.com/v1", kind: "cars", metadata: { name: "a" }, size: 2 ** 31 };
  expect((await api.post("/apis/example.com/v1/cars", car)).status).toBe(422);
});

test("a definition with an invalid bundle is served once it has a valid one", async () => {
  const api = apiAt("1.36");
  const no = Buffer.from("no").toString("base64");
  expect((await api.post(definitions, definition("buses", no))).status).toBe(201);
  await expect
    .poll(() => conditionOf(api, "buses.example.com", "Established"))
    .toMatchObject({
      status: "False",
      reason: "InvalidCABundle",
      message: "The conversion webhook CABundle is invalid",
    });
  expect((await api.get("/apis/example.com/v1/buses")).status).toBe(404);
  const path = "/spec/conversion/webhook/clientConfig/caBundle";
  const value = Buffer.from(rootCertificates[0] ?? "").toString("base64");
  const change = (to: string) =>
    api.patch(`${definitions}/buses.example.com`, jsonPatch, [{ op: "replace", path, value: to }]);
  expect((await change(value)).status).toBe(200);
  await expect.poll(async () => (await api.get("/apis/example.com/v1/buses")).status).toBe(200);
  expect((await change(no)).status).toBe(422);
});

test("before, nothing of that is checked or told", async () => {
  const api = apiAt("1.30");
  const created = await api.post(definitions, definition("carts", Buffer.from("no").toString("base64")));
  expect(created.status).toBe(201);
  expect(created.headers.warning).toBeUndefined();
  await expect
    .poll(() => conditionOf(api, "carts.example.com", "Established"))
    .toMatchObject({ status: "True" });
});

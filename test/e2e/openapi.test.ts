import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { type ClientRun, runClient } from "../support/run-client.js";
import digests from "./openapi-parameters.json" with { type: "json" };

const binaries = clientBinaries();
let server: ServerHere;
let client: ApiClient;
let home: string;

beforeAll(async () => {
  server = await startServerHere();
  client = new ApiClient(server);
  home = mkdtempSync(join(tmpdir(), "openapi-home-"));
});

afterAll(async () => {
  await client.close();
  await server.dispose();
  rmSync(home, { recursive: true, force: true });
});

function ask(path: string, headers: Record<string, string>): Promise<ApiAnswer> {
  return client.ask("GET", path, { headers });
}

describe("/openapi/v2", () => {
  const oldProtobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  const newProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  test("is JSON unless protobuf is asked for, by either of its names", async () => {
    const json = await ask("/openapi/v2", {});
    expect(json.headers["content-type"]).toBe("application/json");
    expect(json.body.swagger).toBe("2.0");
    for (const accept of [oldProtobuf, newProtobuf, `${newProtobuf},application/json;q=0.5`]) {
      const protobuf = await ask("/openapi/v2", { accept });
      expect(protobuf.headers["content-type"]).toBe(newProtobuf);
      // Field 1 of the document: the text 2.0.
      expect(protobuf.text.startsWith("\n\x032.0")).toBe(true);
    }
    expect((await ask("/openapi/v2", { accept: "" })).status).toBe(200);
    const none = await ask("/openapi/v2", { accept: "text/html" });
    expect(none.status).toBe(406);
    expect(none.body.message).toContain("application/json");
  });

  test("answers 304 to a client that has it, and another tag to each form", async () => {
    const json = await ask("/openapi/v2", {});
    const etag = String(json.headers.etag);
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const again = await ask("/openapi/v2", { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(again.text).toBe("");
    expect(again.headers.etag).toBe(etag);
    const protobuf = await ask("/openapi/v2", { accept: newProtobuf, "if-none-match": etag });
    expect(protobuf.status).toBe(200);
  });

  test("is compressed for a client that takes it", async () => {
    const plain = await ask("/openapi/v2", {});
    const answer = await ask("/openapi/v2", { "accept-encoding": "gzip" });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(Number(answer.headers["content-length"])).toBeLessThan(plain.text.length / 5);
  });

  test("is listed at the root", async () => {
    const { body } = await client.get("/");
    expect(body.paths).toEqual(expect.arrayContaining(["/openapi/v2", "/openapi/v3", "/openapi/v3/"]));
  });
});

describe("/openapi/v3", () => {
  const protobufName = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";

  async function urlOf(section: string): Promise<string> {
    const index = await client.get("/openapi/v3");
    expect(index.headers["content-type"]).toBe("text/plain; charset=utf-8");
    return index.body.paths[section].serverRelativeURL;
  }

  test("a document may be kept for ever by its hash", async () => {
    const answer = await client.get(await urlOf("apis/apps/v1"));
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("public, immutable");
    expect(Date.parse(String(answer.headers.expires))).toBeGreaterThan(Date.now());
    expect(answer.body.openapi).toBe("3.0.0");
    expect((await new Validator().validate(answer.body)).errors).toBeUndefined();
    const bare = await client.get("/openapi/v3/apis/apps/v1");
    expect(bare.headers["cache-control"]).toBe("no-cache, private");
    expect(bare.body).toEqual(answer.body);
  });

  test("an old hash leads to the present one", async () => {
    const answer = await client.get("/openapi/v3/api/v1?hash=0000");
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe(await urlOf("api/v1"));
  });

  test("answers 304, protobuf and 404", async () => {
    const first = await client.get("/openapi/v3/api/v1");
    const again = await ask("/openapi/v3/api/v1", { "if-none-match": String(first.headers.etag) });
    expect(again.status).toBe(304);
    const protobuf = await ask("/openapi/v3/api/v1", { accept: protobufName });
    expect(protobuf.headers["content-type"]).toBe("application/octet-stream");
    expect(protobuf.text.startsWith("\n\x053.0.0")).toBe(true);
    expect((await client.get("/openapi/v3/apis/nobody/v1")).status).toBe(404);
  });

  test("is not there when its gate is switched off", async () => {
    const other = await startServerHere({ args: ["--feature-gates=OpenAPIV3=false"] });
    const otherClient = new ApiClient(other);
    try {
      expect((await otherClient.get("/openapi/v3")).status).toBe(404);
      expect((await otherClient.get("/openapi/v2")).status).toBe(200);
    } finally {
      await otherClient.close();
      await other.dispose();
    }
  });
});

describe("discovery", () => {
  const aggregated = (version: string, group = "apidiscovery.k8s.io"): string =>
    `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`;

  test.each([
    ["v2", "apidiscovery.k8s.io"],
    ["v2beta1", "apidiscovery.k8s.io"],
    ["v2", "apidiscovery.orch.io"],
  ])("all groups in one document in %s of %s, kept by its tag", async (version, group) => {
    const accept = `${aggregated(version, group)},application/json`;
    const answer = await ask("/apis", { accept });
    expect(answer.headers["content-type"]).toBe(aggregated(version, group));
    expect(answer.headers.vary).toContain("Accept");
    expect(answer.body).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion: `${group}/${version}` });
    expect(answer.text).toMatch(/^\{"kind":"APIGroupDiscoveryList","apiVersion":/);
    const again = await ask("/apis", { accept, "if-none-match": String(answer.headers.etag) });
    expect(again.status).toBe(304);
  });

  test("a version that is not served is passed over for the classic document", async () => {
    const answer = await ask("/apis", { accept: `${aggregated("v9")},application/json` });
    expect(answer.body.kind).toBe("APIGroupList");
    expect((await ask("/apis", { accept: aggregated("v9") })).status).toBe(406);
    // Only the roots have the aggregated form.
    expect((await ask("/api/v1", { accept: aggregated("v2") })).status).toBe(406);
  });

  test.each(["/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1"])(
    "%s in protobuf and YAML",
    async (path) => {
      const protobuf = await ask(path, { accept: "application/vnd.kubernetes.protobuf" });
      expect(protobuf.headers["content-type"]).toBe("application/vnd.kubernetes.protobuf");
      expect(protobuf.text.startsWith("k8s\0")).toBe(true);
      const yaml = await ask(path, { accept: "application/yaml" });
      expect(yaml.text).toMatch(/^kind: API/m);
    },
  );
});

const pod = (extra = ""): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "checked" },
    spec: { containers: [{ name: "main", image: "busybox", ...(extra !== "" && { [extra]: 1 }) }] },
  });

describe.each([
  ["1.23", binaries.kubectl123],
  ["current", binaries.kubectlCurrent],
])("kubectl %s", (name, binary) => {
  const run = (args: string, input?: string): Promise<ClientRun> =>
    runClient(binary, args.split(" "), {
      kubeconfig: server.kubeconfig,
      home: join(home, name),
      ...(input !== undefined && { input }),
    });

  test("explains types and their fields", async () => {
    const recursive = await run("explain pod.spec.containers --recursive");
    expect(recursive.stderr).toBe("");
    expect(recursive.stdout).toMatch(/livenessProbe\s+<(Object|Probe)>/);
    expect(recursive.stdout).toMatch(/^ +configMapKeyRef\s/m);
    const one = await run("explain deployment.spec.replicas");
    expect(one.stdout).toContain("How many pods to run; 0 is allowed. Default: 1.");
    expect((await run("explain pod.spec.nothing")).status).toBe(1);
  });

  test.each([
    "bindings",
    "customresourcedefinitions",
    "events",
    "horizontalpodautoscalers",
    "ingresses",
    "mutatingwebhookconfigurations",
    "persistentvolumes",
    "statefulsets",
  ])("explains %s", async (resource) => {
    const { status, stdout, stderr } = await run(`explain ${resource} --recursive`);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toMatch(/metadata\s+<(Object|ObjectMeta)>/);
  });

  test("finds mistakes before or while it sends an object", async () => {
    const wrong = await run("create -f -", pod("imagge"));
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(/unknown field "(spec\.containers\[0\]\.)?imagge"/);
  });

  test("applies, shows differences, and applies them", async () => {
    expect((await run("apply -f -", pod())).stdout).toBe("pod/checked created\n");
    const changed = pod().replace("busybox", "alpine");
    const diff = await run("diff -f -", changed);
    expect(diff.stdout).toMatch(/^-\s.*image: busybox$/m);
    expect(diff.stdout).toMatch(/^\+\s.*image: alpine$/m);
    expect(diff.status).toBe(1);
    expect((await run("apply --dry-run=server -f -", changed)).stdout).toContain("(server dry run)");
    expect((await run("apply -f -", changed)).stdout).toBe("pod/checked configured\n");
    expect((await run("diff -f -", changed)).status).toBe(0);
    expect((await run("delete pod checked --now")).status).toBe(0);
  });

  test("lists the resources that are served", async () => {
    const { stdout } = await run("api-resources --no-headers -o name");
    expect(stdout.split("\n")).toEqual(expect.arrayContaining(["pods", "deployments.apps"]));
  });
});

/** What the digests are of: of each path its parameters, and of each operation its own and what it answers. */
function pathLines(paths: Record<string, SwaggerPath>, version: string): string[] {
  const names = (parameters: SwaggerPath["parameters"]) =>
    (parameters ?? []).map(({ name }) => name).join(",");
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(`${version}/`) && !path.endsWith("/"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { parameters, ...operations }]) => {
      const described = Object.entries(operations)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([method, operation]) => {
          const type = operation.responses["200"]?.schema?.$ref?.split("/").at(-1) ?? "";
          return `${method}:${names(operation.parameters)}:${type}${operation.deprecated === true ? ":deprecated" : ""}`;
        });
      return [path, names(parameters), ...described].join(" ");
    });
}

interface SwaggerOperation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly deprecated?: boolean;
  readonly responses: Record<string, { readonly schema?: { readonly $ref?: string } }>;
}

type SwaggerPath = { readonly parameters?: readonly { readonly name: string }[] } & Record<
  string,
  SwaggerOperation
>;

/** By the published description of version 1.23.17. */
test("groups and versions have the paths and parameters of Kubernetes", async () => {
  const { body } = await ask("/openapi/v2", {});
  const found = Object.keys(digests).map((version) => {
    const lines = pathLines(body.paths, version);
    return [version, createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16)];
  });
  expect(Object.fromEntries(found)).toEqual(digests);
});

import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeEnvelope } from "../../src/apimachinery/schema/envelope.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { Random } from "../robustness/random.js";
import type { ApiAnswer, AskOptions } from "../support/api-client.js";
import { type Ground, openGround } from "../support/fixtures.js";
import { minimalObjects } from "../support/minimal-objects.js";

/**
 * Random requests that no client would send: none is answered with 500, and the connection stays usable. The seed is printed with a
 * failure; `REQUESTS_SEED` sets it.
 */

const seed = Number(process.env.REQUESTS_SEED ?? Date.now() % 1_000_000);
const requests = 800;
const context = testApiContext();
const protobuf = context.naming.protobufMediaType;
const objects = Object.values(await minimalObjects(context.naming));
let ground: Ground;

beforeAll(async () => {
  ground = await openGround();
});

afterAll(() => ground.dispose());

const source = new Random(seed);
const random = (below: number): number => source.between(0, below - 1);

function pick<T>(items: readonly T[]): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

const collections = [
  ...["pods", "configmaps", "services", "namespaces", "nodes", "events", "componentstatuses"].map(
    (r) => `/api/v1|${r}`,
  ),
  ...["deployments", "controllerrevisions"].map((r) => `/apis/apps/v1|${r}`),
  "/apis/coordination.k8s.io/v1|leases",
  "/apis/rbac.authorization.k8s.io/v1|clusterroles",
  "/apis/autoscaling/v2|horizontalpodautoscalers",
  "/apis/authorization.k8s.io/v1|selfsubjectaccessreviews",
];
const names = ["a", "default", "%00", "%zz", "..", "%2F", "A_B", "x".repeat(300), "%ff", "__proto__", ""];
const subresources = ["status", "scale", "eviction", "binding", "log", "exec", "proxy/a", "token", "nothing"];
const queries = [
  "limit=-1",
  "limit=1&continue=x",
  "resourceVersion=99999999999999999999999",
  "resourceVersionMatch=Exact",
  "watch=1&timeoutSeconds=1&resourceVersion=x",
  "labelSelector=a+in+(",
  "fieldSelector=%5C",
  "dryRun=x",
  "dryRun=All&fieldValidation=Strict",
  "fieldManager=%00",
  "force=x&gracePeriodSeconds=x",
  "includeObject=x",
  "timeout=x",
  "%zz",
  "__proto__=1",
];
const accepts = [
  "application/json",
  "application/yaml",
  protobuf,
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  `${protobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`,
  'image/png;a="',
  ",",
];
const contentTypes = [
  "application/json",
  "application/yaml",
  protobuf,
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "text/plain",
];
const values = [
  null,
  -1,
  "",
  "\ud800",
  [],
  [null],
  {},
  { a: null },
  { $patch: "delete" },
  "1Gi",
  1e300,
  true,
];
const texts = [
  "",
  "null",
  "[[",
  "{",
  "a: &a [*a]",
  "? [a]\n: b",
  "<<: 1",
  "\0",
  "[".repeat(40_000),
  "- ".repeat(9000),
];

/** Changes an object in some places. */
function changed(object: object): string {
  const copy = JSON.parse(JSON.stringify({ metadata: { name: "a" }, ...object })) as Record<string, unknown>;
  for (let i = random(4); i >= 0; i--) {
    let at: Record<string, unknown> = copy;
    for (;;) {
      const keys = Object.keys(at);
      if (keys.length === 0) break;
      const key = pick(keys);
      const member = at[key];
      if (typeof member !== "object" || member === null || random(4) === 0) {
        at[key] = structuredClone(pick(values));
        break;
      }
      at = member as Record<string, unknown>;
    }
  }
  return JSON.stringify(copy);
}

function damaged(bytes: Buffer): Buffer {
  for (let i = random(4); i > 0 && bytes.length > 0; i--) bytes[random(bytes.length)] = random(256);
  return bytes.subarray(0, random(3) === 0 ? random(bytes.length + 1) : bytes.length);
}

function someBody(): string | Buffer {
  const text = changed(pick(objects));
  switch (random(7)) {
    case 0:
      return pick(texts);
    case 1:
      return gzipSync(text);
    case 2:
      return damaged(Buffer.from(text));
    case 3: {
      const codec = context.schemas.codec("core/v1.ConfigMap");
      const message = codec.toProto(codec.fromJson({ metadata: { name: "a" }, data: { b: "c" } }));
      return damaged(Buffer.from(encodeEnvelope({ apiVersion: "v1", kind: "ConfigMap" }, message)));
    }
    case 4: {
      const operations = Array.from({ length: random(4) }, () => ({
        op: pick(["add", "remove", "replace", "move", "copy", "test", "x"]),
        path: pick(["/metadata/labels/a", "", "/", "/x/-", "/~2", "x", "/data/01"]),
        from: pick(["/metadata", "", "x"]),
        value: pick(values),
      }));
      return JSON.stringify(operations);
    }
    default:
      return text;
  }
}

function someRequest(): readonly [method: string, path: string, options: AskOptions] {
  const [root = "", resource = ""] = pick(collections).split("|");
  const namespace = random(3) === 0 ? "" : `/namespaces/${random(5) === 0 ? pick(names) : "default"}`;
  const name = random(3) === 0 ? "" : `/${random(3) === 0 ? pick(names) : "a"}`;
  const subresource = random(5) === 0 ? `/${pick(subresources)}` : "";
  const query = random(2) === 0 ? "" : `?${pick(queries)}&timeoutSeconds=1`;
  const method = pick(["GET", "POST", "PUT", "PATCH", "DELETE", "PURGE"]);
  const headers = { accept: pick(accepts) };
  const options =
    method === "GET" ? { headers } : { headers, raw: someBody(), contentType: pick(contentTypes) };
  return [method, `${root}${namespace}/${resource}${name}${subresource}${query}`, options];
}

/** As in Kubernetes: an unknown component, and the proxy of a node without addresses. */
const answeredWith500 = ["Component not found", "no preferred addresses found"];

test(`${requests} requests put together at random (seed ${seed})`, async () => {
  for (let i = 0; i < requests; i++) {
    const [method, path, options] = someRequest();
    const answer: ApiAnswer = await ground.api.ask(method, path, options);
    if (answer.status === 500 && answeredWith500.some((message) => answer.text.includes(message))) continue;
    expect(answer.status, `${method} ${path} ${String(options.raw).slice(0, 500)}: ${answer.text}`).not.toBe(
      500,
    );
  }
  expect((await ground.api.get("/livez")).status).toBe(200);
  expect(ground.server.output()).not.toContain("request failed");
}, 120_000);

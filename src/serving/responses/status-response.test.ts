import { expect, test } from "vitest";
import {
  badRequest,
  invalidObject,
  notFound,
  type Status,
  tooManyRequests,
} from "../../apimachinery/errors/status.js";
import { oldestLevel } from "../../apimachinery/levels/api-level.js";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import { decodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { createNaming } from "../../naming/naming.js";
import { startTestServer } from "../../server/pki/testing/test-server.js";
import { ClientGoneError, type HttpExchange } from "../http/exchange.js";
import { Negotiator, objectOffer } from "./negotiator.js";
import { StatusResponder } from "./status-response.js";

const naming = createNaming("orch");
const codec = new SchemaRegistry([metaV1Types], { level: oldestLevel }).codec<Status>("meta/v1.Status");
const negotiator = new Negotiator(naming);
const responder = new StatusResponder(negotiator, codec, new YamlConverter());

const missing = notFound({ group: "apps", resource: "deployments" }, "a<b");
const json =
  '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",' +
  '"message":"deployments.apps \\"a\\u003cb\\" not found","reason":"NotFound",' +
  '"details":{"name":"a\\u003cb","group":"apps","kind":"deployments"},"code":404}';

const large = invalidObject({ group: "", kind: "Pod" }, "a", [
  { type: "FieldValueInvalid", field: "spec.a", body: `Invalid value: "${'<"é'.repeat(300_000)}"` },
  { type: "FieldValueRequired", field: "spec.b", body: "Required value" },
]);

async function ask(path: string, headers: Record<string, string> = {}) {
  const server = await startTestServer(async (exchange) => {
    if (exchange.path === "/busy") await responder.error(exchange, tooManyRequests("slow down", 7));
    else if (exchange.path === "/done") {
      const status = { metadata: {}, status: "Success", code: 201 } as const;
      const offer = objectOffer({ protobuf: true, table: true, stream: false });
      await responder.success(exchange, 201, status, negotiator.negotiate(exchange.headers.accept, offer));
    } else if (exchange.path === "/large") await responder.error(exchange, large);
    else await responder.error(exchange, missing);
  });
  try {
    const answer = await server.fetch(path, { headers });
    return { ...answer, text: answer.body.toString() };
  } finally {
    await server.close();
  }
}

test("JSON is the default, in Kubernetes' order and escapes, with a newline", async () => {
  const answer = await ask("/");
  expect(answer.status).toBe(404);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.text).toBe(`${json}\n`);
});

test("a large one, which takes turns, is the same", async () => {
  const answer = await ask("/large");
  expect(answer.status).toBe(422);
  expect(answer.text).toBe(`${codec.toJsonWithType(large.status, { kind: "Status", apiVersion: "v1" })}\n`);
  expect(JSON.parse(answer.text)).toMatchObject({
    code: 422,
    details: { causes: [{ field: "spec.a" }, { field: "spec.b" }] },
  });
});

test.each([
  ["?pretty=true", {}],
  ["", { "user-agent": "curl/8" }],
  ["", { accept: "application/json;pretty=1" }],
])("JSON for people is indented (%s %o)", async (query, headers) => {
  const answer = await ask(`/${query}`, headers);
  expect(answer.text).toMatch(/^\{\n {2}"kind": "Status",\n/);
  expect(JSON.parse(answer.text)).toEqual(JSON.parse(json));
});

test("protobuf by either name", async () => {
  for (const profile of ["orch", "kubernetes"] as const) {
    const accept = createNaming(profile).protobufMediaType;
    const answer = await ask("/", { accept });
    expect(answer.headers["content-type"]).toBe(accept);
    const { typeMeta, raw } = decodeEnvelope(answer.body);
    expect(typeMeta).toEqual({ kind: "Status", apiVersion: "v1" });
    expect(codec.fromProto(raw)).toMatchObject({ code: 404, reason: "NotFound", details: { name: "a<b" } });
  }
});

test("YAML", async () => {
  const answer = await ask("/", { accept: "application/yaml" });
  expect(answer.text).toBe(
    "apiVersion: v1\ncode: 404\ndetails:\n  group: apps\n  kind: deployments\n  name: a<b\nkind: Status\n" +
      'message: deployments.apps "a<b" not found\nmetadata: {}\nreason: NotFound\nstatus: Failure\n',
  );
});

test("a client that accepts none of ours reads the error as JSON all the same", async () => {
  const answer = await ask("/", { accept: "text/plain" });
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toEqual(JSON.parse(json));
});

test("a successful Status has the negotiated media type, whatever its parameters", async () => {
  const accept = `${naming.protobufMediaType};as=PartialObjectMetadata;v=v1;g=${naming.group("meta")}`;
  const answer = await ask("/done", { accept });
  expect(answer.status).toBe(201);
  expect(decodeEnvelope(answer.body).typeMeta.kind).toBe("Status");
});

test("Retry-After repeats the details", async () => {
  const answer = await ask("/busy");
  expect(answer.status).toBe(429);
  expect(answer.headers["retry-after"]).toBe("7");
  expect((await ask("/")).headers["retry-after"]).toBeUndefined();
});

test("the bytes of a Status for an event", () => {
  expect(responder.encode(missing.status, "json").toString()).toBe(json);
  expect(decodeEnvelope(responder.encode(missing.status, "protobuf")).typeMeta.kind).toBe("Status");
});

test("causes keep their order and fields", () => {
  const error = invalidObject({ group: "", kind: "Pod" }, "x", [
    { type: "FieldValueRequired", field: "spec.a", body: "Required value" },
    { type: "FieldValueInvalid", field: "spec.b", body: "Invalid value: 1" },
  ]);
  expect(JSON.parse(responder.encode(error.status, "json").toString()).details.causes).toEqual([
    { reason: "FieldValueRequired", message: "Required value", field: "spec.a" },
    { reason: "FieldValueInvalid", message: "Invalid value: 1", field: "spec.b" },
  ]);
});

test("printing a long answer as YAML ends when the client goes", async () => {
  const gone = new AbortController();
  const waiting = new YamlConverter({
    run: (_task, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const exchange = { headers: { accept: "application/yaml" }, signal: gone.signal };
  const long = badRequest("x".repeat(8_000));
  const answer = new StatusResponder(negotiator, codec, waiting).error(
    exchange as unknown as HttpExchange, // all that an answer in YAML touches before it is sent
    long,
  );
  gone.abort(new ClientGoneError());
  await expect(answer).rejects.toThrow(ClientGoneError);
});

test("a long answer in YAML is JSON when too many wait to be printed", async () => {
  const crowded = new YamlConverter({ run: () => Promise.reject(tooManyRequests("too many", 1)) });
  const long = badRequest("x".repeat(8_000));
  const server = await startTestServer((exchange) =>
    new StatusResponder(negotiator, codec, crowded).error(exchange, long),
  );
  const answer = await server.fetch("/", { headers: { accept: "application/yaml" } });
  await server.close();
  expect(answer.status).toBe(400);
  expect(answer.headers["content-type"]).toBe("application/yaml");
  expect(JSON.parse(answer.body.toString()).message).toBe(long.message);
});

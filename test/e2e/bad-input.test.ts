import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient, type AskOptions } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

let server: ServerHere;
let api: ApiClient;
const maps = "/api/v1/namespaces/default/configmaps";

beforeAll(async () => {
  server = await startServerHere();
  api = new ApiClient(server);
  await api.post(maps, { metadata: { name: "there" } });
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

const deep = `${'{"metadata":{"name":"deep"},"data":'}${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
const badUtf8 = Buffer.concat([
  Buffer.from('{"metadata":{"name":"'),
  Buffer.of(0xff, 0xfe),
  Buffer.from('"}}'),
]);

type Case = readonly [
  what: string,
  method: string,
  path: string,
  options: AskOptions,
  code: number,
  reason: string,
];

const cases: readonly Case[] = [
  ["malformed JSON", "POST", maps, { raw: '{"metadata":' }, 400, "BadRequest"],
  ["a list as body", "POST", maps, { raw: "[]" }, 400, "BadRequest"],
  ["a wrong type", "POST", maps, { body: { metadata: { name: 1 } } }, 400, "BadRequest"],
  [
    "a wrong type deep inside",
    "POST",
    maps,
    { body: { metadata: { name: "a" }, data: { a: 1 } } },
    400,
    "BadRequest",
  ],
  [
    "another kind",
    "POST",
    maps,
    { body: { kind: "Secret", apiVersion: "v1", metadata: { name: "a" } } },
    400,
    "BadRequest",
  ],
  [
    "another version",
    "POST",
    maps,
    { body: { kind: "ConfigMap", apiVersion: "v2", metadata: { name: "a" } } },
    400,
    "BadRequest",
  ],
  [
    "a body over 3 MiB",
    "POST",
    maps,
    { raw: `{"metadata":{"name":"${"a".repeat(3 * 1024 * 1024)}"}}` },
    413,
    "RequestEntityTooLarge",
  ],
  ["deep nesting", "POST", maps, { raw: deep }, 400, "BadRequest"],
  ["bad UTF-8", "POST", maps, { raw: badUtf8, contentType: "application/json" }, 422, "Invalid"],
  ["no name", "POST", maps, { body: {} }, 422, "Invalid"],
  ["a bad name", "POST", maps, { body: { metadata: { name: "Not_A_Name" } } }, 422, "Invalid"],
  [
    "a bad label",
    "POST",
    maps,
    { body: { metadata: { name: "a", labels: { "a b": "c" } } } },
    422,
    "Invalid",
  ],
  ["a name that is taken", "POST", maps, { body: { metadata: { name: "there" } } }, 409, "AlreadyExists"],
  [
    "another namespace in the body",
    "POST",
    maps,
    { body: { metadata: { name: "a", namespace: "other" } } },
    400,
    "BadRequest",
  ],
  [
    "a namespace that does not exist",
    "POST",
    "/api/v1/namespaces/nowhere/configmaps",
    { body: { metadata: { name: "a" } } },
    404,
    "NotFound",
  ],
  ["an unknown object", "GET", `${maps}/nothing`, {}, 404, "NotFound"],
  ["an unknown type", "GET", "/api/v1/namespaces/default/moons", {}, 404, "NotFound"],
  ["an unknown version", "GET", "/apis/apps/v9/deployments", {}, 404, "NotFound"],
  ["an unknown version of the core", "GET", "/api/v9/pods", {}, 404, "NotFound"],
  ["an option of former versions", "GET", `${maps}/there?export=true`, {}, 400, "BadRequest"],
  ["a dry run of no kind", "POST", `${maps}?dryRun=`, { body: { metadata: { name: "a" } } }, 422, "Invalid"],
  [
    "a wildcard for some media types",
    "GET",
    maps,
    { headers: { accept: "application/*" } },
    406,
    "NotAcceptable",
  ],
  ["a broken escape in the path", "GET", "/api/v1/%zz", {}, 400, "BadRequest"],
  ["a method that collections lack", "PUT", maps, { body: {} }, 405, "MethodNotAllowed"],
  ["a method that documents lack", "POST", "/version", { body: {} }, 405, "MethodNotAllowed"],
  ["a method that discovery lacks", "DELETE", "/apis/apps/v1", {}, 405, "MethodNotAllowed"],
  ["a method that nothing has", "PURGE", maps, {}, 405, "MethodNotAllowed"],
  ["a watch by another method than GET", "POST", "/api/v1/watch/pods", { body: {} }, 405, "MethodNotAllowed"],
  ...(["json", "merge", "strategic-merge"] as const).map(
    (type): Case => [
      `a ${type} patch of what is not there, of a kind that updates create`,
      "PATCH",
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/nothing",
      { raw: type === "json" ? "[]" : "{}", contentType: `application/${type}-patch+json` },
      404,
      "NotFound",
    ],
  ),
  ["a deletion in all namespaces", "DELETE", "/api/v1/configmaps", {}, 405, "MethodNotAllowed"],
  ["a creation in no namespace", "POST", "/api/v1/configmaps", { body: {} }, 405, "MethodNotAllowed"],
  ["a verb that the kind lacks", "DELETE", "/api/v1/namespaces", {}, 405, "MethodNotAllowed"],
  ["nothing at all", "POST", maps, { raw: "" }, 400, "BadRequest"],
  ["null", "POST", maps, { raw: "null" }, 422, "Invalid"],
  ["YAML of comments alone", "POST", maps, { raw: "# a\n", contentType: "application/yaml" }, 422, "Invalid"],
  ["a method that objects lack", "POST", `${maps}/there`, { body: {} }, 405, "MethodNotAllowed"],
  [
    "a content type that is no object",
    "POST",
    maps,
    { raw: "a=b", contentType: "text/plain" },
    415,
    "UnsupportedMediaType",
  ],
  [
    "a patch of no known type",
    "PATCH",
    `${maps}/there`,
    { raw: "{}", contentType: "application/json" },
    415,
    "UnsupportedMediaType",
  ],
  [
    "an Accept that the versions do not fit",
    "GET",
    "/version",
    { headers: { accept: "application/*" } },
    406,
    "NotAcceptable",
  ],
  ["an Accept that nothing fits", "GET", maps, { headers: { accept: "image/png" } }, 406, "NotAcceptable"],
  ["a label selector that does not parse", "GET", `${maps}?labelSelector=%3D%3D`, {}, 400, "BadRequest"],
  ["a field selector of an unknown field", "GET", `${maps}?fieldSelector=data.a%3Db`, {}, 400, "BadRequest"],
  ["a resourceVersion that is none", "GET", `${maps}?resourceVersion=x`, {}, 400, "BadRequest"],
  ["a continue token that is none", "GET", `${maps}?limit=1&continue=x`, {}, 400, "BadRequest"],
  ["an unknown dryRun", "POST", `${maps}?dryRun=Some`, { body: { metadata: { name: "a" } } }, 422, "Invalid"],
  [
    "a version that is not the object's",
    "PUT",
    `${maps}/there`,
    { body: { metadata: { name: "there", resourceVersion: "1" } } },
    409,
    "Conflict",
  ],
  [
    "another name than the path's",
    "PUT",
    `${maps}/there`,
    { body: { metadata: { name: "elsewhere" } } },
    400,
    "BadRequest",
  ],
  [
    "a failing JSON patch test",
    "PATCH",
    `${maps}/there`,
    {
      raw: '[{"op":"test","path":"/metadata/name","value":"x"}]',
      contentType: "application/json-patch+json",
    },
    422,
    "Invalid",
  ],
  [
    "a malformed patch",
    "PATCH",
    `${maps}/there`,
    { raw: "[{", contentType: "application/json-patch+json" },
    400,
    "BadRequest",
  ],
  [
    "a precondition that does not hold",
    "DELETE",
    `${maps}/there`,
    { body: { preconditions: { uid: "another" } } },
    409,
    "Conflict",
  ],
  [
    "an unknown propagation policy",
    "DELETE",
    `${maps}/there`,
    { body: { propagationPolicy: "Sometimes" } },
    422,
    "Invalid",
  ],
];

test.each(cases)("%s is answered as a Status", async (_what, method, path, options, code, reason) => {
  const stored = async () => (await api.get(maps)).body.items;
  const before = await stored();
  const answer = await api.ask(method, path, options);
  expect({
    status: answer.status,
    code: answer.body?.code,
    reason: answer.body?.reason,
    kind: answer.body?.kind,
  }).toEqual({
    status: code,
    code,
    reason,
    kind: "Status",
  });
  expect(answer.body.message).not.toBe("");
  // Nothing was stored, and the server goes on.
  expect(await stored()).toEqual(before);
});

test.each([
  "/nothing/here",
  "/apis/moon.example.com",
  "/apis/moon.example.com/v1",
  "/apis/moon.example.com/v1/moons",
  "/healthz/moon",
])("%s, of which no router knows anything, is answered with text", async (path) => {
  const answer = await api.get(path);
  expect([answer.status, answer.headers["content-type"], answer.text]).toEqual([
    404,
    "text/plain; charset=utf-8",
    "404 page not found\n",
  ]);
});

const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";

test.each<[string, string, number]>([
  ["GET", "/api/v1/configmaps/", 200],
  ["GET", `${maps}/%ff%fe`, 404],
  ["GET", `${maps}/%f`, 400],
  ["GET", "/api/v1//configmaps", 404],
  ["GET", "//api//v1/configmaps", 404],
  ["GET", "//api/v1/configmaps", 404],
  ["GET", "/api/v1/namespaces//configmaps", 200],
  // What all namespaces hold can be read, and neither created nor deleted.
  ["POST", "/api/v1/configmaps", 405],
  ["DELETE", "/api/v1/configmaps", 405],
  ["DELETE", "/api/v1/namespaces//configmaps", 405],
  ["POST", "/api/v1/bindings", 404],
  ["GET", "/api/v1/namespaces/default/bindings", 405],
  ["GET", reviews, 405],
  ["GET", `${reviews}/a`, 404],
  ["HEAD", maps, 405],
  ["HEAD", `${maps}/there`, 405],
  ["HEAD", `${maps}/there/nothing`, 404],
  ["OPTIONS", maps, 405],
  ["GET", "/api/v1/namespaces/default/pods/a/status/b", 404],
  ["GET", "/api/v1/namespaces/default/pods/a/log/b", 404],
  ["GET", "/api/v1/proxy/namespaces/default/pods/a", 404],
  ["GET", "/api/v1/watch/namespaces/default/pods/a/status", 404],
  ["GET", "/api/v1/watch/componentstatuses", 404],
  ["GET", "/api/v1/componentstatuses?watch=1", 405],
  ["POST", "/api/v1/watch/configmaps", 405],
  ["GET", "/version/", 200],
  ["HEAD", "/version", 405],
  ["POST", "/api", 405],
  ["GET", "/apis/", 200],
  ["HEAD", "/apis", 200],
  ["POST", "/apis/", 200],
  ["GET", "/apis/apps/", 200],
  ["POST", "/apis/apps", 200],
  ["PUT", "/apis/apps/", 200],
  ["DELETE", "/apis/nothing", 404],
  ["HEAD", "/apis/apps/v1", 405],
  ["POST", "/apis/apps/v9", 404],
  ["GET", "/apis/apps//v1", 404],
  ["POST", "/healthz", 200],
  ["HEAD", "/readyz", 200],
  ["GET", "/readyz/", 404],
  ["GET", "/metrics/", 404],
  ["GET", "/index.html", 200],
  ["GET", "/debug/pprof", 301],
  ["GET", "/debug/pprof/", 200],
])("%s %s is answered %d", async (method, path, status) => {
  expect((await api.ask(method, path)).status).toBe(status);
  expect((await api.get(`${maps}/there`)).status).toBe(200);
});

test.each<[string, string, AskOptions, string]>([
  [
    "PUT",
    `${maps}/there`,
    { body: { metadata: {} } },
    "the name of the object (there based on URL) was undeterminable: name must be provided",
  ],
  [
    "POST",
    maps,
    { body: { kind: "Pod", apiVersion: "v1" } },
    'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
  ],
  [
    "POST",
    maps,
    { body: { kind: "List", apiVersion: "v1" } },
    'List in version "v1" cannot be handled as a ConfigMap: converting (v1.List) to (core.ConfigMap): unknown conversion',
  ],
  [
    "POST",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    { body: { kind: "Role" } },
    'Role in version "v1" cannot be handled as a ClusterRole: converting (v1.Role) to (rbac.ClusterRole): unknown conversion',
  ],
  [
    "POST",
    maps,
    { body: { apiVersion: "v2" } },
    'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2"',
  ],
  [
    "POST",
    maps,
    { body: { apiVersion: "a/b/c" } },
    'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})',
  ],
  [
    "POST",
    "/apis/batch/v1/namespaces/default/cronjobs",
    { body: { apiVersion: "batch/v1beta1", kind: "CronJob" } },
    "the API version in the data (batch/v1beta1) does not match the expected API version (batch/v1)",
  ],
  [
    "GET",
    "/api/v1/componentstatuses?watch=1",
    {},
    'watch is not supported on resources of kind "componentstatuses"',
  ],
])("%s %s says why it is refused", async (method, path, options, message) => {
  expect((await api.ask(method, path, options)).body.message).toBe(message);
});

test("an audit id that the client gives comes back", async () => {
  const given = "an id of any length, ".repeat(10).trim();
  const { headers } = await api.ask("GET", "/version", { headers: { "audit-id": given } });
  expect(headers["audit-id"]).toBe(given);
});

test("an invalid object's causes name the fields", async () => {
  const answer = await api.post(maps, {
    metadata: { name: "a", labels: { "a b": "c" }, annotations: { "": "x" } },
  });
  expect(answer.body.details.causes.map((cause: { field: string }) => cause.field)).toEqual(
    expect.arrayContaining(["metadata.labels", "metadata.annotations"]),
  );
  expect(answer.body.details).toMatchObject({ name: "a", kind: "ConfigMap" });
});

test.each([
  ["", undefined, "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"],
  ["[1]", undefined, /json parse error: json: cannot unmarshal array into Go value of type .* \(5b315d\)$/],
  [
    '{"kind":1}',
    undefined,
    /cannot unmarshal number into Go struct field \.kind of type string \(\{"kind":1\}\)$/,
  ],
  ["a: [", "application/yaml", /: yaml: line 1: .* \(613a205b\)$/],
])("a body whose kind cannot be told, %j, is shown", async (raw, contentType, why) => {
  const { body } = await api.ask("POST", maps, { raw, ...(contentType !== undefined && { contentType }) });
  expect(body.code).toBe(400);
  expect(body.message).toMatch(/^the object provided is unrecognized \(must be of type ConfigMap\): /);
  expect(body.message).toMatch(why);
});

const services = "/api/v1/namespaces/default/services";
const unfit = [
  "9007199254740993",
  "-123456789012345678901234567890",
  '{"toString":1}',
  '{"valueOf":null}',
  "[]",
];

// Each of these was an internal error.
test.each(unfit)("%s is no number of 32 bits, and no port's name", async (value) => {
  for (const field of ["port", "targetPort"]) {
    const raw = `{"metadata":{"name":"x"},"spec":{"ports":[{"port":80,"${field}":${value}}]}}`;
    expect((await api.ask("POST", services, { raw })).body).toMatchObject({
      code: 400,
      reason: "BadRequest",
    });
  }
});

test.each(["name", "namespace"])("a configuration with an object for its %s is 400", async (field) => {
  const configuration = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"${field}":{"toString":1}}}`;
  for (const name of ["there", "new"]) {
    const answer = await api.ask("PATCH", `${maps}/${name}?fieldManager=m`, {
      raw: configuration,
      contentType: "application/apply-patch+yaml",
    });
    expect(answer.body).toMatchObject({ code: 400, reason: "BadRequest" });
    expect(answer.body.message).toMatch(/^failed to create typed patch object .*: expected string/);
  }
});

test("objects with very many mistakes are 422, and the answer is short", async () => {
  const mistakes = Array.from({ length: 20_000 }, (_, i) => ` ${i}`);
  for (const metadata of [
    { labels: Object.fromEntries(mistakes.map((key) => [key, key])) },
    { finalizers: mistakes },
  ]) {
    const answer = await api.post(maps, { metadata: { name: "a", ...metadata } });
    expect(answer.body).toMatchObject({ code: 422, reason: "Invalid" });
    expect(answer.body.details.causes).toHaveLength(1000);
  }
});

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ApiGround, openApiGround } from "../../test/registry/api-ground.js";

/** Which requests have a handler, and the errors of those without. Source: Kubernetes 1.23's routes. */

let ground: ApiGround;
beforeAll(async () => {
  ground = await openApiGround();
});
afterAll(() => ground.dispose());

const core = "/api/v1";
const own = `${core}/namespaces/default`;

test.each([
  ["an unknown resource", "GET", `${core}/things`, 404],
  ["an unknown group", "GET", "/apis/example.com/v1/things", 404],
  ["the core group by the path of others", "GET", "/apis//v1/namespaces/default/configmaps", 404],
  ["a write to the core group by the path of others", "POST", "/apis//v1/namespaces/default/configmaps", 404],
  ["a version that is not served", "GET", "/apis/apps/v1beta1/deployments", 404],
  ["a resource of another group", "GET", "/apis/apps/v1/configmaps", 404],
  ["a namespaced object without its namespace", "GET", `${core}/configmaps/a`, 404],
  ["a cluster-scoped resource in a namespace", "GET", `${own}/nodes`, 404],
  ["a collection of every namespace", "GET", `${core}/configmaps`, 200],
  ["a creation in every namespace", "POST", `${core}/configmaps`, 405],
  ["a deletion in every namespace", "DELETE", `${core}/configmaps`, 405],
  ["a collection that is updated", "PUT", `${own}/configmaps`, 405],
  ["an object that is created at its own path", "POST", `${own}/configmaps/a`, 405],
  ["an unknown subresource", "GET", `${own}/configmaps/a/status`, 404],
  ["a path below a subresource", "GET", "/apis/apps/v1/namespaces/default/deployments/a/scale/more", 404],
  [
    "a subresource with a verb that it lacks",
    "DELETE",
    "/apis/apps/v1/namespaces/default/deployments/a/scale",
    405,
  ],
  ["a review that is read", "GET", "/apis/authorization.k8s.io/v1/subjectaccessreviews", 405],
  ["namespaces, deleted at once", "DELETE", `${core}/namespaces`, 405],
  ["the older path of a watch, of what is not watched", "GET", `${core}/watch/componentstatuses`, 404],
  ["the older path of a proxy", "GET", `${core}/proxy/namespaces/default/pods/a`, 404],
  ["a method that no verb stands for", "OPTIONS", `${own}/configmaps`, 405],
])("%s", async (_what, method, target, code) => {
  const answer = await ground.api.ask(method, target);
  expect([answer.code, answer.body.reason]).toEqual([
    code,
    { 200: undefined, 404: "NotFound", 405: "MethodNotAllowed" }[code],
  ]);
});

describe("custom resources", () => {
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  const missing = "the server could not find the requested resource";

  beforeAll(async () => {
    const { code } = await ground.api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "boats.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "boats", kind: "Boat", listKind: "Fleet" },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
          {
            name: "v1beta1",
            served: true,
            storage: false,
            deprecated: true,
            deprecationWarning: "sink soon",
            schema: { openAPIV3Schema: { type: "object" } },
          },
        ],
      },
    });
    expect(code).toBe(201);
    await ground.server.customResources.start();
    await vi.waitFor(() => expect(ground.server.catalog.find("example.com", "v1", "boats")).toBeDefined());
  });

  test("of a deprecated version warn, also of subresources that the version lacks", async () => {
    const path = "/apis/example.com/v1beta1/namespaces/default/boats/a";
    const warnings = ['299 - "sink soon"'];
    for (const part of ["", "/status", "/scale"])
      expect(await ground.api.get(`${path}${part}`)).toMatchObject({ code: 404, warnings });
    expect((await ground.api.get(`${boats}/a/status`)).warnings).toEqual([]);
  });

  // As kube-apiserver's `customresource_handler.go`, which has no routes.
  test.each([
    ["of every namespace, listed", "GET", "/apis/example.com/v1/boats", 200, undefined],
    ["created without a namespace", "POST", "/apis/example.com/v1/boats", 404, missing],
    ["of every namespace, deleted", "DELETE", "/apis/example.com/v1/boats", 404, missing],
    ["updated without a name", "PUT", boats, 400, "name must be provided"],
    ["patched without a name", "PATCH", boats, 400, "name must be provided"],
    ["deleted as a collection", "DELETE", boats, 200, undefined],
    [
      "with a method that no verb stands for",
      "OPTIONS",
      boats,
      405,
      ' is not supported on resources of kind "boats.example.com"',
    ],
  ])("%s", async (_what, method, target, code, message) => {
    const answer = await ground.api.ask(method, target);
    expect([answer.code, answer.body.message]).toEqual([code, message]);
  });

  test("are in lists of the kind that their definition names", async () => {
    const kinds = [await ground.api.get(boats), await ground.api.delete(boats)].map(({ body }) => body.kind);
    expect(kinds).toEqual(["Fleet", "Fleet"]);
  });

  test("created at the path of an object get the name of the body", async () => {
    const sent = { apiVersion: "example.com/v1", kind: "Boat", metadata: { name: "gull" } };
    for (const [target, code] of [
      [`${boats}/heron`, 201],
      [`${boats}/gull`, 409],
    ] as const) {
      const answer = await ground.api.post(target, sent);
      expect([answer.code, answer.body.metadata.name ?? answer.body.details.name]).toEqual([code, "gull"]);
    }
  });
});

test("a watch may be asked for by a parameter, by the older path, and of one object", async () => {
  await ground.api.post(`${own}/configmaps`, { metadata: { name: "watched" } });
  for (const target of [
    `${own}/configmaps?watch=1&fieldSelector=metadata.name%3Dwatched`,
    `${core}/watch/namespaces/default/configmaps?fieldSelector=metadata.name%3Dwatched`,
    `${core}/watch/namespaces/default/configmaps/watched`,
    `${own}/configmaps/watched?watch=true`,
  ]) {
    const result = await ground.api.result("GET", target);
    expect(result.kind, target).toBe("watch");
  }
});

test("the options of a watch by its older path are judged as those of a list", async () => {
  const target = `${core}/watch/namespaces/default/configmaps`;
  const sent = "sendInitialEvents=true&resourceVersion=0&resourceVersionMatch=NotOlderThan";
  expect(
    (await ground.api.result("GET", `${target}?resourceVersion=0&resourceVersionMatch=NotOlderThan`)).kind,
  ).toBe("watch");
  const inWatch = await ground.api.get(
    `${target}?resourceVersion=0&resourceVersionMatch=NotOlderThan&watch=1`,
  );
  expect([inWatch.code, inWatch.body.message]).toEqual([
    422,
    expect.stringContaining("is forbidden for watch"),
  ]);
  const wrong = await ground.api.get(`${target}?${sent}&limit=x`);
  expect([wrong.code, wrong.body.message]).toEqual([400, expect.stringContaining('parsing "x"')]);
});

test("a version that goes away warns each client, and marks the audit event", async () => {
  const target = "/apis/policy/v1beta1/podsecuritypolicies";
  const { code, warnings } = await ground.api.get(target);
  expect([code, warnings]).toEqual([
    200,
    ['299 - "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+"'],
  ]);
  expect((await ground.api.get("/apis/policy/v1/poddisruptionbudgets")).warnings).toEqual([]);
});

test("a scale is a value of its own kind, whatever the version of its resource", async () => {
  const controllers = `${own}/replicationcontrollers`;
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
  await ground.api.post(controllers, {
    metadata: { name: "scaled" },
    spec: { replicas: 1, selector: { a: "b" }, template },
  });
  const { code, body } = await ground.api.mergePatch(`${controllers}/scaled/scale`, {
    spec: { replicas: 4 },
  });
  expect([code, body.kind, body.apiVersion, body.spec.replicas]).toEqual([200, "Scale", "autoscaling/v1", 4]);
  expect((await ground.api.get(`${controllers}/scaled`)).body.spec.replicas).toBe(4);
});

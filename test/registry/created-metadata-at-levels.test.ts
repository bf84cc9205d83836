import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** What is created is in the namespace of the path, since 1.24 already before admission and where nothing is stored. */

const namespace = "/api/v1/namespaces/default";
const reviews = "/apis/authorization.k8s.io/v1";
const elsewhere = {
  code: 400,
  message: "the namespace of the provided object does not match the namespace sent on the request",
};

describe.each<{ level: ApiLevel; agrees: boolean; namesUid: boolean }>([
  { level: "1.23", agrees: false, namesUid: false },
  { level: "1.24", agrees: true, namesUid: false },
  { level: "1.33", agrees: true, namesUid: false },
  { level: "1.34", agrees: true, namesUid: true },
  { level: "1.36", agrees: true, namesUid: true },
])("at $level", ({ level, agrees, namesUid }) => {
  let ground: ApiGround;
  let uid: string;

  const token = (metadata?: object) =>
    ground.api.post(`${namespace}/serviceaccounts/robot/token`, { metadata, spec: {} });

  beforeAll(async () => {
    ground = await openApiGround({ apiLevel: level });
    const account = { metadata: { name: "robot" } };
    uid = (await ground.api.post(`${namespace}/serviceaccounts`, account)).body.metadata.uid;
  });
  afterAll(() => ground.dispose());

  test("an object of another namespace is refused, and admission does not see what only servers set", async () => {
    const create = (path: string, metadata: object) => ground.api.post(path, { metadata });
    const sent = { name: "c", namespace: "other" };
    const inMissing = await create("/api/v1/namespaces/missing/configmaps", sent);
    expect(inMissing.code).toBe(agrees ? 400 : 404);
    const refused = await ground.admission.during(async () => {
      expect((await create(`${namespace}/configmaps`, sent)).body).toMatchObject(elsewhere);
    });
    expect(refused).toHaveLength(agrees ? 0 : 1);
    const [first] = await ground.admission.during(() => create("/api/v1/nodes", { ...sent, selfLink: "/x" }));
    const { namespace: seen, selfLink } = first?.object?.metadata ?? {};
    expect([seen, selfLink]).toEqual(agrees ? [undefined, undefined] : ["other", "/x"]);
  });

  test("a namespace that states one is updated all the same", async () => {
    const path = "/api/v1/namespaces/default";
    const { body } = await ground.api.get(path);
    const { code, body: updated } = await ground.api.put(`${path}?dryRun=All`, {
      ...body,
      metadata: { ...body.metadata, namespace: "other" },
    });
    expect([code, updated.metadata?.namespace]).toEqual([200, undefined]);
  });

  test("a token request comes back with its account's names", async () => {
    const { code, body } = await token();
    expect(code).toBe(201);
    const { managedFields, ...metadata } = body.metadata;
    const named = { name: "robot", namespace: "default", creationTimestamp: expect.any(String) };
    expect(metadata).toEqual(agrees ? { ...named, ...(namesUid && { uid }) } : { creationTimestamp: null });
  });

  test("a token request is about the account of the path", async () => {
    const otherName = await token({ name: "other" });
    const otherNamespace = await token({ namespace: "other" });
    if (!agrees) {
      expect([otherName.body.metadata.name, otherNamespace.body.metadata.namespace]).toEqual([
        "other",
        "other",
      ]);
      return;
    }
    expect(otherName.body).toMatchObject({
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    });
    expect(otherNamespace.body).toMatchObject(elsewhere);
  });

  test("a review need not repeat the namespace of its path", async () => {
    const spec = { user: "u", resourceAttributes: { namespace: "default", verb: "get", resource: "pods" } };
    const review = (metadata: object) =>
      ground.api.post(`${reviews}/namespaces/default/localsubjectaccessreviews`, { metadata, spec });
    expect((await review({ namespace: "default" })).code).toBe(201);
    expect((await review({})).code).toBe(agrees ? 201 : 422);
    expect((await review({ namespace: "other" })).code).toBe(agrees ? 400 : 422);
    const ofCluster = await ground.api.post(`${reviews}/subjectaccessreviews`, {
      metadata: { namespace: "other" },
      spec,
    });
    expect(ofCluster.code).toBe(agrees ? 201 : 422);
  });

  test("a binding is of the namespace of its path, and only below the pod bound to a uid", async () => {
    const { api } = ground;
    const spec = { containers: [{ name: "c", image: "i" }] };
    for (const name of ["p", "q"]) await api.post(`${namespace}/pods`, { metadata: { name }, spec });
    const target = { kind: "Node", name: "n" };
    const bind = (path: string, metadata: object) => api.post(`${namespace}/${path}`, { metadata, target });
    if (agrees) {
      const answer = await bind("pods/p/binding", { name: "p", namespace: "other" });
      expect(answer.body).toMatchObject(elsewhere);
    }
    expect((await bind("pods/p/binding", { name: "p", uid: "other" })).code).toBe(409);
    expect((await bind("bindings", { name: "p", uid: "other" })).code).toBe(agrees ? 201 : 409);
    expect((await bind("pods/q/binding", { name: "q", namespace: agrees ? "" : "other" })).code).toBe(201);
  });

  test("an eviction is of the namespace of its path, with delete options that a delete would take", async () => {
    const { api } = ground;
    const spec = { containers: [{ name: "c", image: "i" }], nodeName: "n" };
    await api.post(`${namespace}/pods`, { metadata: { name: "e" }, spec });
    const evict = (eviction: object) => api.post(`${namespace}/pods/e/eviction`, eviction);
    if (agrees) {
      expect((await evict({ metadata: { name: "e", namespace: "other" } })).body).toMatchObject(elsewhere);
    }
    const odd = await evict({ metadata: { name: "e" }, deleteOptions: { propagationPolicy: "Odd" } });
    expect(odd.body).toMatchObject({
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Odd": supported values: "Foreground", "Background", "Orphan", "nil"',
    });
    expect((await api.get(`${namespace}/pods/e`)).body.metadata.deletionTimestamp).toBeUndefined();
    expect((await evict({ metadata: { name: "e" } })).code).toBe(201);
  });
});

test("without its gate at 1.34, a uid of another account is warned of", async () => {
  const ground = await openApiGround({
    apiLevel: "1.34",
    featureGates: new Map([["TokenRequestServiceAccountUIDValidation", false]]),
  });
  const account = { metadata: { name: "robot" } };
  const { uid } = (await ground.api.post(`${namespace}/serviceaccounts`, account)).body.metadata;
  const answer = await ground.api.post(`${namespace}/serviceaccounts/robot/token`, {
    metadata: { uid: "of-another" },
    spec: {},
  });
  expect(answer.code).toBe(201);
  expect(answer.warnings).toEqual([
    `299 - "the UID in the token request (of-another) does not match the UID of the service account (${uid}) but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error"`,
  ]);
  await ground.dispose();
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import type { ApiAnswer } from "../support/api-client.js";
import {
  applyPatch,
  causesOf,
  deployment,
  type GroundHere,
  jsonPatch,
  mergePatch,
  openGroundHere,
  pod,
  strategicPatch,
  until,
} from "../support/fixtures.js";

let ground: GroundHere;
const core = "/api/v1/namespaces/default";
const apps = "/apis/apps/v1/namespaces/default";

beforeAll(async () => {
  ground = await openGroundHere();
});

afterAll(async () => {
  await ground.dispose();
});

const ask: GroundHere["api"]["ask"] = (...args) => ground.api.ask(...args);
const get = (path: string): Promise<ApiAnswer> => ground.api.get(path);
const post = (path: string, body: unknown): Promise<ApiAnswer> => ground.api.post(path, body);
const put = (path: string, body: unknown): Promise<ApiAnswer> => ground.api.put(path, body);
const patch = (path: string, type: string, body: unknown): Promise<ApiAnswer> =>
  ground.api.patch(path, type, body);

/** What a dry run may answer differently. */
// Tests look into answers of every shape.
// biome-ignore lint/suspicious/noExplicitAny: see above
function comparable({ metadata, ...rest }: any): unknown {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _created, ...kept } = metadata;
  const managedFields = kept.managedFields?.map((entry: object) => ({ ...entry, time: undefined }));
  return { ...rest, metadata: { ...kept, deletionTimestamp: undefined, managedFields } };
}

describe("dry run", () => {
  beforeAll(async () => {
    await post(`${core}/configmaps`, { metadata: { name: "dry" }, data: { a: "1" } });
    await post(`${apps}/deployments`, deployment("dry"));
    await post(`${core}/pods`, pod("dry", { nodeName: "n1" }));
    await post(`${core}/pods`, pod("dry-unbound"));
    await post(`${core}/serviceaccounts`, { metadata: { name: "dry" } });
    await post("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      metadata: { name: "dry" },
      spec: {
        request: await testSigningRequest({ commonName: "x" }),
        signerName: "example.com/x",
        usages: ["client auth"],
      },
    });
    await post("/api/v1/namespaces", { metadata: { name: "dry" } });
  });

  type Write = readonly [what: string, method: string, path: string, body: unknown, contentType?: string];
  const configMap = { metadata: { name: "dry" }, data: { a: "2" } };
  const writes: readonly Write[] = [
    ["create", "POST", `${core}/configmaps`, { metadata: { name: "dry-new" } }],
    ["update", "PUT", `${core}/configmaps/dry`, configMap],
    ["merge patch", "PATCH", `${core}/configmaps/dry`, { data: { a: "3" } }, mergePatch],
    ["strategic patch", "PATCH", `${core}/configmaps/dry`, { data: { a: "3" } }, strategicPatch],
    ["JSON patch", "PATCH", `${core}/configmaps/dry`, [{ op: "remove", path: "/data" }], jsonPatch],
    ["delete", "DELETE", `${core}/configmaps/dry`, undefined],
    ["delete of a running pod", "DELETE", `${core}/pods/dry`, undefined],
    ["delete with a body", "DELETE", `${core}/configmaps/dry`, { kind: "DeleteOptions", apiVersion: "v1" }],
    ["deletecollection", "DELETE", `${core}/configmaps`, undefined],
    ["foreground delete", "DELETE", `${apps}/deployments/dry?propagationPolicy=Foreground`, undefined],
    ["delete of a namespace", "DELETE", "/api/v1/namespaces/dry", undefined],
    [
      "apply",
      "PATCH",
      `${core}/configmaps/dry?fieldManager=me&force=true`,
      { apiVersion: "v1", kind: "ConfigMap", data: { a: "4" } },
      applyPatch,
    ],
    [
      "apply that creates",
      "PATCH",
      `${core}/configmaps/dry-applied?fieldManager=me`,
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "dry-applied" } },
      applyPatch,
    ],
    [
      "status",
      "PATCH",
      `${apps}/deployments/dry/status`,
      { status: { replicas: 3, observedGeneration: 1 } },
      mergePatch,
    ],
    ["scale by patch", "PATCH", `${apps}/deployments/dry/scale`, { spec: { replicas: 9 } }, mergePatch],
    [
      "scale by update",
      "PUT",
      `${apps}/deployments/dry/scale`,
      {
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "dry", namespace: "default" },
        spec: { replicas: 9 },
      },
    ],
    [
      "binding",
      "POST",
      `${core}/pods/dry-unbound/binding`,
      { metadata: { name: "dry-unbound" }, target: { kind: "Node", name: "n1" } },
    ],
    [
      "binding at its own path",
      "POST",
      `${core}/bindings`,
      { metadata: { name: "dry-unbound" }, target: { name: "n1" } },
    ],
    [
      "eviction",
      "POST",
      `${core}/pods/dry/eviction`,
      { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "dry" } },
    ],
    [
      "ephemeral containers",
      "PATCH",
      `${core}/pods/dry/ephemeralcontainers`,
      { spec: { ephemeralContainers: [{ name: "debug", image: "busybox" }] } },
      strategicPatch,
    ],
    [
      "approval",
      "PATCH",
      "/apis/certificates.k8s.io/v1/certificatesigningrequests/dry/approval",
      { status: { conditions: [{ type: "Approved", status: "True", reason: "x", message: "y" }] } },
      mergePatch,
    ],
    [
      "finalize",
      "PUT",
      "/api/v1/namespaces/dry/finalize",
      { metadata: { name: "dry" }, spec: { finalizers: [] } },
    ],
    [
      "a service",
      "POST",
      `${core}/services`,
      { metadata: { name: "dry" }, spec: { type: "NodePort", ports: [{ port: 80 }] } },
    ],
  ];

  const send = ([, method, path, body, contentType]: Write, option: string): Promise<ApiAnswer> =>
    ask(method, `${path}${path.includes("?") ? "&" : "?"}${option}`, {
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
    });
  const everything = async (): Promise<string[]> => {
    const paths = [
      `${core}/configmaps`,
      `${core}/pods`,
      `${core}/services`,
      `${apps}/deployments`,
      "/api/v1/namespaces",
      "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    ];
    const items: string[] = [];
    for (const path of paths) items.push(JSON.stringify((await get(path)).body.items));
    return items;
  };

  test.each<Write>(writes)("%s leaves nothing behind, and an unknown value is refused", async (...given) => {
    const write = given as unknown as Write; // the rows are of this type
    const before = await everything();
    for (const option of ["dryRun=All", "dryRun"]) {
      const answer = await send(write, option);
      expect(answer.status, answer.text).toBeLessThan(300);
    }
    const unknown = await send(write, "dryRun=Some");
    expect(unknown.status).toBe(422);
    expect(unknown.body.message).toContain('Unsupported value: []string{"Some"}: supported values: "All"');
    // Empty is a value, and none at all is a dry run.
    const empty = await send(write, "dryRun=");
    expect(empty.status).toBe(422);
    expect(empty.body.message).toContain('Unsupported value: []string{""}: supported values: "All"');
    expect(await everything()).toEqual(before);
  });

  test.each<Write>(writes.slice(0, 5))("%s answers what would be stored", async (...given) => {
    const write = given as unknown as Write; // the rows are of this type
    await ask("DELETE", `${core}/configmaps/dry-new`);
    await ask("DELETE", `${core}/configmaps/dry`);
    await post(`${core}/configmaps`, { metadata: { name: "dry" }, data: { a: "1" } });
    const dry = await send(write, "dryRun=All");
    const real = await send(write, "pretty=false");
    expect(dry.status).toBe(real.status);
    expect(comparable(dry.body)).toEqual(comparable(real.body));
  });

  test("a generated name is shown, and not taken", async () => {
    const { status, body } = await ask("POST", `${core}/configmaps?dryRun=All`, {
      body: { metadata: { generateName: "generated-" } },
    });
    expect(status).toBe(201);
    expect(body.metadata.name).toMatch(/^generated-[a-z0-9]{5}$/);
    expect((await get(`${core}/configmaps/${body.metadata.name}`)).status).toBe(404);
  });

  test("a service's address and port stay free", async () => {
    const clusterIP = "10.0.0.77";
    const service = {
      metadata: { name: "addressed" },
      spec: { type: "NodePort", clusterIP, ports: [{ port: 80, nodePort: 30077 }] },
    };
    const dry = await ask("POST", `${core}/services?dryRun=All`, { body: service });
    expect(dry.status, dry.text).toBe(201);
    expect(dry.body.spec).toMatchObject({ clusterIP, ports: [{ nodePort: 30077 }] });
    const real = await post(`${core}/services`, service);
    expect(real.status, real.text).toBe(201);
    const taken = { metadata: { name: "taken" }, spec: { clusterIP, ports: [{ port: 80 }] } };
    // Whether an address is free is for the real request to find out.
    const dryAgain = await ask("POST", `${core}/services?dryRun=All`, { body: taken });
    expect(dryAgain.status, dryAgain.text).toBe(201);
    const again = await ask("POST", `${core}/services`, { body: taken });
    expect(again.status).toBe(422);
    expect(causesOf(again)[0]).toContain("provided IP is already allocated");
  });

  test("a name that is taken is told", async () => {
    const answer = await ask("POST", `${core}/configmaps?dryRun=All`, {
      body: { metadata: { name: "dry" } },
    });
    expect(answer.body).toMatchObject({ code: 409, reason: "AlreadyExists" });
  });

  test("virtual kinds take it as well", async () => {
    const { status, body } = await ask(
      "POST",
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All",
      {
        body: { spec: { resourceAttributes: { resource: "pods", verb: "get" } } },
      },
    );
    expect([status, body.status.allowed]).toEqual([201, true]);
  });
});

describe("names and versions", () => {
  test("PUT creates where Kubernetes' kinds allow it, and nowhere else", async () => {
    const creating: readonly (readonly [string, object])[] = [
      [`${core}/endpoints/put`, { metadata: { name: "put" } }],
      [`${core}/services/put`, { metadata: { name: "put" }, spec: { ports: [{ port: 80 }] } }],
      ["/apis/coordination.k8s.io/v1/namespaces/default/leases/put", { metadata: { name: "put" } }],
      [
        `${core}/events/put`,
        { metadata: { name: "put", namespace: "default" }, involvedObject: { namespace: "default" } },
      ],
      ["/apis/rbac.authorization.k8s.io/v1/clusterroles/put", { metadata: { name: "put" }, rules: [] }],
      [
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/put",
        { metadata: { name: "put" }, rules: [] },
      ],
      [`${core}/limitranges/put`, { metadata: { name: "put" } }],
    ];
    const statuses: string[] = [];
    for (const [path, body] of creating) {
      const first = await put(path, body);
      const second = await put(path, body);
      // Leases are not updated without a version.
      statuses.push(`${path.split("/").at(-2)} ${first.status} ${second.status}`);
    }
    expect(statuses).toEqual([
      "endpoints 201 200",
      "services 201 200",
      "leases 201 422",
      "events 201 200",
      "clusterroles 201 200",
      "roles 201 200",
      "limitranges 201 200",
    ]);
    for (const path of [`${core}/configmaps/put`, `${core}/pods/put`, `${core}/secrets/put`]) {
      const answer = await put(path, { metadata: { name: "put" } });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    // The resourceVersion is of a deleted object, and does not prevent creating another.
    const again = await put(`${core}/endpoints/gone`, { metadata: { name: "gone", resourceVersion: "5" } });
    expect(again.status, again.text).toBe(201);
  });

  test("a generated name ends in five characters; a long base is cut", async () => {
    const base = "x".repeat(60);
    const { body } = await post(`${core}/configmaps`, { metadata: { generateName: base } });
    expect(body.metadata.name).toMatch(/^x{58}[a-z0-9]{5}$/);
    expect(body.metadata.generateName).toBe(base);
  });

  test("a generated name that is taken is the server's fault, and worth another try", async () => {
    const maps = `${core}/configmaps`;
    const taken = { metadata: { name: "taken", finalizers: ["example.org/hold"] } };
    expect((await post(maps, taken)).status).toBe(201);
    const message =
      'configmaps "taken" already exists, the server was not able to generate a unique name for the object';
    // A name beside the base counts as generated.
    for (const query of ["", "?dryRun=All"]) {
      const answer = await post(`${maps}${query}`, { metadata: { name: "taken", generateName: "other-" } });
      expect(answer.body).toEqual({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message,
        reason: "AlreadyExists",
        details: { name: "taken", kind: "configmaps", retryAfterSeconds: 1 },
        code: 409,
      });
      expect([answer.status, answer.headers["retry-after"]]).toEqual([409, "1"]);
    }
    await ground.api.delete(`${maps}/taken`);
    const going = await post(maps, { metadata: { name: "taken", generateName: "other-" } });
    expect(going.body.message).toBe(`object is being deleted: ${message}`);
    await patch(`${maps}/taken`, mergePatch, { metadata: { finalizers: null } });
  });

  test("a version on creation is refused by the store: after validation, and not in a dry run", async () => {
    const maps = `${core}/configmaps`;
    const create = (metadata: object, query = "") => post(`${maps}${query}`, { metadata });
    expect((await create({ name: "v", resourceVersion: "3" })).body).toMatchObject({
      code: 400,
      message: "resourceVersion should not be set on objects to be created",
    });
    expect((await create({ name: "V", resourceVersion: "3" })).body).toMatchObject({ code: 422 });
    expect((await create({ name: "v", resourceVersion: "3" }, "?dryRun=All")).status).toBe(201);
    for (const resourceVersion of ["0", "odd"]) {
      const { status, body } = await create({ name: `v-${resourceVersion}`, resourceVersion });
      expect([status, body.metadata.resourceVersion]).toEqual([201, expect.stringMatching(/^[1-9]\d*$/)]);
    }
  });

  test("an update without a version is unconditional; with an old one it is a conflict", async () => {
    const first = (await post(`${core}/configmaps`, { metadata: { name: "c" }, data: { a: "1" } })).body;
    const second = await put(`${core}/configmaps/c`, { metadata: { name: "c" }, data: { a: "2" } });
    expect(second.status).toBe(200);
    expect(second.body.metadata.uid).toBe(first.metadata.uid);
    expect(second.body.metadata.creationTimestamp).toBe(first.metadata.creationTimestamp);
    const stale = await put(`${core}/configmaps/c`, first);
    expect(stale.body).toMatchObject({
      code: 409,
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "c": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: "c", kind: "configmaps" },
    });
    const other = await put(`${core}/configmaps/c`, { metadata: { name: "c", uid: "other" } });
    expect(other.body).toMatchObject({ code: 409, reason: "Conflict" });
    expect(other.body.message).toContain(
      "Precondition failed: UID in precondition: other, UID in object meta: ",
    );
    // An update with a uid refers to an existing object, so it does not create one.
    for (const path of [
      `${core}/configmaps/gone`,
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/gone",
    ]) {
      const gone = await put(path, { metadata: { name: "gone", uid: "other" } });
      expect(gone.body).toMatchObject({ code: 409, reason: "Conflict" });
      expect(gone.body.message).toMatch(/UID in precondition: other, UID in object meta: $/);
    }
    const patched = await patch(`${core}/configmaps/c`, mergePatch, { metadata: { uid: "other" } });
    expect([patched.status, causesOf(patched)]).toEqual([
      422,
      Array(2).fill('metadata.uid: Invalid value: "other": field is immutable'),
    ]);
  });

  test.each([
    ["leases", "/apis/coordination.k8s.io/v1/namespaces/default/leases", {}],
    [
      "custom resource definitions' kin: webhooks",
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      {},
    ],
    [
      "pod disruption budgets",
      "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
      { spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } } },
    ],
    ["priority classes", "/apis/scheduling.k8s.io/v1/priorityclasses", { value: 1 }],
  ])("%s: what an update without a version does is Kubernetes'", async (_what, path, body) => {
    await post(path, { metadata: { name: "unconditional" }, ...body });
    const conditional =
      path.includes("poddisruptionbudgets") || path.includes("webhook") || path.includes("leases");
    for (const version of [{}, { resourceVersion: "0" }]) {
      const metadata = { name: "unconditional", ...version };
      const answer = await put(`${path}/unconditional`, { metadata, ...body });
      if (conditional) {
        expect(causesOf(answer)).toEqual([
          "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update",
        ]);
      } else expect(answer.status, answer.text).toBe(200);
    }
  });

  test("version zero is none, also in patches and scales", async () => {
    await post(`${core}/configmaps`, { metadata: { name: "zero" }, data: { a: "1" } });
    const metadata = { name: "zero", resourceVersion: "0" };
    const patched = await patch(`${core}/configmaps/zero`, mergePatch, { metadata, data: { a: "2" } });
    expect([patched.status, patched.body.data]).toEqual([200, { a: "2" }]);
    await post(`${apps}/deployments`, deployment("zero"));
    const scaled = await put(`${apps}/deployments/zero/scale`, {
      metadata: { ...metadata, namespace: "default" },
      spec: { replicas: 3 },
    });
    expect([scaled.status, scaled.body.spec]).toEqual([200, { replicas: 3 }]);
  });

  test("a write that changes nothing stores nothing", async () => {
    const { body } = await post(`${core}/configmaps`, { metadata: { name: "same" }, data: { a: "1" } });
    const { resourceVersion } = body.metadata;
    const updated = await put(`${core}/configmaps/same`, body);
    const patched = await patch(`${core}/configmaps/same`, mergePatch, { data: { a: "1" } });
    expect([updated.body.metadata.resourceVersion, patched.body.metadata.resourceVersion]).toEqual([
      resourceVersion,
      resourceVersion,
    ]);
  });

  test("fields that the server sets cannot be set by clients", async () => {
    const { body } = await post(`${core}/configmaps`, {
      metadata: {
        name: "forged",
        uid: "forged",
        selfLink: "/forged",
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 5,
      },
    });
    const { metadata } = body;
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-/);
    expect(metadata.creationTimestamp).not.toMatch(/^2001/);
    expect([metadata.selfLink, metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const answer = await patch(`${core}/configmaps/forged`, mergePatch, {
      metadata: { deletionTimestamp: "2001-01-01T00:00:00Z" },
    });
    expect(causesOf(answer)).toEqual(
      Array(2).fill(
        "metadata.deletionTimestamp: Invalid value: 2001-01-01 00:00:00 +0000 UTC: field is immutable",
      ),
    );
    const created = await patch(`${core}/configmaps/forged`, mergePatch, {
      metadata: { creationTimestamp: "2001-01-01T00:00:00Z" },
    });
    expect([created.status, created.body.metadata.creationTimestamp]).toEqual([
      200,
      metadata.creationTimestamp,
    ]);
  });
});

describe("the parts of an object", () => {
  test("status and spec are written apart, and generation counts specs", async () => {
    const created = await post(`${apps}/deployments`, {
      ...deployment("parts"),
      status: { replicas: 7 },
    });
    expect(created.body.status).toEqual({});
    expect(created.body.metadata.generation).toBe(1);
    const path = `${apps}/deployments/parts`;
    const main = await patch(path, mergePatch, { status: { replicas: 7 }, metadata: { labels: { x: "y" } } });
    expect([main.body.status, main.body.metadata.generation]).toEqual([{}, 1]);
    const status = await patch(`${path}/status`, mergePatch, {
      spec: { replicas: 9 },
      status: { replicas: 7 },
      metadata: { labels: { z: "w" } },
    });
    expect(status.body.status).toEqual({ replicas: 7 });
    expect(status.body.spec.replicas).toBe(2);
    expect(status.body.metadata).toMatchObject({ generation: 1, labels: { app: "parts", x: "y" } });
    expect(status.body.metadata.labels.z).toBeUndefined();
    const spec = await patch(path, mergePatch, { spec: { replicas: 3 } });
    expect([spec.body.metadata.generation, spec.body.status]).toEqual([2, { replicas: 7 }]);
    expect((await get(`${path}/status`)).body.kind).toBe("Deployment");
  });

  test("pods have no generation; a status update may not move the pod", async () => {
    const created = await post(`${core}/pods`, pod("stateful", { nodeName: "n1" }));
    expect(created.body.metadata.generation).toBeUndefined();
    const status = await patch(`${core}/pods/stateful/status`, mergePatch, {
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      spec: { nodeName: "n2" },
    });
    expect([status.body.status.phase, status.body.spec.nodeName]).toEqual(["Running", "n1"]);
    const moved = await patch(`${core}/pods/stateful`, mergePatch, { spec: { nodeName: "n2" } });
    expect(moved.status).toBe(422);
    expect(causesOf(moved)[0]).toMatch(/^spec: Forbidden: pod updates may not change fields other than/);
  });

  test.each([
    ["configmaps", { data: { a: "1" } }, { data: { a: "2" } }, "data"],
    ["secrets", { stringData: { a: "1" } }, { stringData: { a: "2" } }, "data"],
  ])("immutable %s stay", async (resource, content, change, field) => {
    const path = `${core}/${resource}/fixed`;
    await post(`${core}/${resource}`, { metadata: { name: "fixed" }, immutable: true, ...content });
    const changed = await patch(path, mergePatch, change);
    expect(causesOf(changed)).toEqual([`${field}: Forbidden: field is immutable when \`immutable\` is set`]);
    const loosened = await patch(path, mergePatch, { immutable: false });
    expect(causesOf(loosened)).toEqual(["immutable: Forbidden: field is immutable when `immutable` is set"]);
    expect((await patch(path, mergePatch, { metadata: { labels: { a: "b" } } })).status).toBe(200);
  });

  test("a scale is read, replaced, patched and applied", async () => {
    await post(`${apps}/deployments`, deployment("scaled"));
    const path = `${apps}/deployments/scaled/scale`;
    const read = await get(path);
    expect(read.body).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "scaled", namespace: "default" },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "app=scaled" },
    });
    const replaced = await put(path, { ...read.body, spec: { replicas: 3 } });
    expect([replaced.status, replaced.body.spec.replicas]).toEqual([200, 3]);
    expect((await put(path, { ...read.body, spec: { replicas: 4 } })).body).toMatchObject({ code: 409 });
    for (const [type, body] of [
      [mergePatch, { spec: { replicas: 4 } }],
      [strategicPatch, { spec: { replicas: 5 } }],
      [jsonPatch, [{ op: "replace", path: "/spec/replicas", value: 6 }]],
    ] as const) {
      const patched = await patch(path, type, body);
      expect(patched.status, patched.text).toBe(200);
    }
    expect((await get(`${apps}/deployments/scaled`)).body.spec.replicas).toBe(6);
    const negative = await patch(path, mergePatch, { spec: { replicas: -1 } });
    expect(causesOf(negative)).toEqual([
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
    ]);
    const configuration = { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 8 } };
    const conflict = await patch(`${path}?fieldManager=scaler`, applyPatch, configuration);
    expect(conflict.body).toMatchObject({ code: 409, details: { causes: [{ field: ".spec.replicas" }] } });
    const applied = await patch(`${path}?fieldManager=scaler&force=true`, applyPatch, configuration);
    expect([applied.status, applied.body.spec]).toEqual([200, { replicas: 8 }]);
    const { metadata, spec } = (await get(`${apps}/deployments/scaled`)).body;
    expect(spec.replicas).toBe(8);
    expect(
      metadata.managedFields.filter(
        (entry: { fieldsV1: Record<string, Record<string, unknown>> }) =>
          entry.fieldsV1["f:spec"]?.["f:replicas"] !== undefined,
      ),
    ).toEqual([
      {
        manager: "scaler",
        operation: "Apply",
        apiVersion: "apps/v1",
        subresource: "scale",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
      },
    ]);
    // The applier of the deployment without a count does not take it back.
    expect((await patch(`${apps}/deployments/nothing/scale`, mergePatch, {})).status).toBe(404);
  });
});

describe("namespaces", () => {
  test("nothing is created in a terminating namespace, which is deleted once it is empty", async () => {
    await post("/api/v1/namespaces", { metadata: { name: "ending" } });
    await post("/api/v1/namespaces/ending/configmaps", {
      metadata: { name: "held", finalizers: ["example.com/hold"] },
    });
    const deleted = await ask("DELETE", "/api/v1/namespaces/ending");
    expect(deleted.body).toMatchObject({
      kind: "Namespace",
      metadata: { deletionTimestamp: expect.any(String) },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Terminating" },
    });
    const refused = await post("/api/v1/namespaces/ending/configmaps", { metadata: { name: "late" } });
    expect(refused.body).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "late" is forbidden: unable to create new content in namespace ending because it is being terminated',
      details: {
        name: "late",
        kind: "configmaps",
        causes: [
          {
            reason: "NamespaceTerminating",
            message: expect.stringContaining("namespace ending is being terminated"),
            field: "metadata.namespace",
          },
        ],
      },
    });
    await patch("/api/v1/namespaces/ending/configmaps/held", mergePatch, { metadata: { finalizers: null } });
    const gone = await until(
      () => get("/api/v1/namespaces/ending"),
      ({ status }) => status === 404,
    );
    expect(gone.status).toBe(404);
  });

  test.each(["default", "kube-system", "kube-public"])("%s stays", async (name) => {
    const answer = await ask("DELETE", `/api/v1/namespaces/${name}`);
    expect(answer.body).toMatchObject({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  });
});

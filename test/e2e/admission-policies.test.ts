import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { type ClientRun, runClient } from "../support/run-client.js";
import { disposeAll } from "../support/server-process.js";

const group = "/apis/admissionregistration.k8s.io/v1";
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const maps = "/api/v1/namespaces/default/configmaps";
const servers: ServerHere[] = [];
const home = mkdtempSync(join(tmpdir(), "policies-"));
let api: ApiClient;
let server: ServerHere;

beforeAll(async () => {
  server = await startServerHere({ args: ["--api-level=1.35", "--authorization-mode=RBAC"] });
  servers.push(server);
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await disposeAll(servers);
  rmSync(home, { recursive: true, force: true });
});

function kubectl(args: readonly string[], input?: object): Promise<ClientRun> {
  return runClient(clientBinaries().kubectlCurrent, args, {
    kubeconfig: server.kubeconfig,
    home,
    ...(input !== undefined && { input: JSON.stringify(input) }),
  });
}

const ofMaps = {
  resourceRules: [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
  ],
};

function policy(name: string, spec: object) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints: ofMaps, ...spec },
  };
}

function binding(name: string, spec: object = {}) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"], ...spec },
  };
}

/** Only for objects whose label `for` names the policy, so that tests do not meet each other's policies. */
function only(name: string) {
  return {
    matchConditions: [
      { name: "mine", expression: `object.metadata.?labels['for'].orValue('') == '${name}'` },
    ],
  };
}

function map(name: string, forPolicy: string, data: Readonly<Record<string, string>> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { for: forPolicy } }, data };
}

async function inForce(name: string, spec: object, bound: object = {}): Promise<void> {
  expect(await api.post(policies, policy(name, { ...only(name), ...spec }))).toMatchObject({ status: 201 });
  const matchResources = { objectSelector: { matchLabels: { for: name } } };
  expect(await api.post(bindings, binding(name, { matchResources, ...bound }))).toMatchObject({
    status: 201,
  });
}

describe("a validating policy", () => {
  test("refuses what kubectl applies, in Kubernetes' words", async () => {
    const spec = {
      ...only("words"),
      variables: [{ name: "size", expression: "object.?data.orValue({}).size()" }],
      validations: [
        { expression: "variables.size < 2", messageExpression: "'too many: ' + string(variables.size)" },
        { expression: "!('secret' in object.?data.orValue({}))", reason: "Forbidden", message: "no secrets" },
      ],
    };
    const applied = await kubectl(["apply", "-f", "-"], {
      apiVersion: "v1",
      kind: "List",
      items: [policy("words", spec), binding("words")],
    });
    expect(applied).toMatchObject({ status: 0 });
    const shown = await kubectl(["get", "validatingadmissionpolicy,validatingadmissionpolicybinding"]);
    expect(shown.stdout).toMatch(/words\s+2\s+<unset>/);
    expect(shown.stdout).toMatch(/words\s+words\s+<unset>/);
    const refused = await kubectl(["apply", "-f", "-"], map("two", "words", { a: "1", b: "2" }));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      "The configmaps \"two\" is invalid: : ValidatingAdmissionPolicy 'words' with binding 'words' denied request: too many: 2",
    );
    expect(await api.post(maps, map("two", "words", { a: "1", b: "2" }))).toMatchObject({
      status: 422,
      body: {
        reason: "Invalid",
        details: {
          name: "two",
          kind: "configmaps",
          causes: [
            { message: "ValidatingAdmissionPolicy 'words' with binding 'words' denied request: too many: 2" },
          ],
        },
      },
    });
    expect(await api.post(maps, map("one", "words", { secret: "x" }))).toMatchObject({
      status: 403,
      body: { reason: "Forbidden" },
    });
    expect((await api.post(maps, map("one", "words", { a: "1" }))).status).toBe(201);
    expect((await api.post(maps, map("other", "nothing", { a: "1", b: "2" }))).status).toBe(201);
  });

  test("holds for updates, and until its binding is gone", async () => {
    await inForce("updates", {
      validations: [{ expression: "oldObject == null || object.data == oldObject.data" }],
    });
    expect((await api.post(maps, map("u", "updates", { a: "1" }))).status).toBe(201);
    const changed = await api.put(`${maps}/u`, map("u", "updates", { a: "2" }));
    expect(changed.body.message).toContain(
      "denied request: failed expression: oldObject == null || object.data == oldObject.data",
    );
    expect((await api.ask("DELETE", `${bindings}/updates`)).status).toBe(200);
    expect((await api.put(`${maps}/u`, map("u", "updates", { a: "2" }))).status).toBe(200);
  });

  test("warns, and refuses where an expression fails unless failures are ignored", async () => {
    await inForce(
      "warns",
      { validations: [{ expression: "false", message: "mind this" }] },
      { validationActions: ["Warn", "Audit"] },
    );
    const warned = await api.post(maps, map("w", "warns"));
    expect(warned.status).toBe(201);
    expect(warned.headers.warning).toBe(
      "299 - \"Validation failed for ValidatingAdmissionPolicy 'warns' with binding 'warns': mind this\"",
    );
    await inForce("fails", { validations: [{ expression: "object.data.missing == 'x'" }] });
    const failed = await api.post(maps, map("f", "fails"));
    expect(failed).toMatchObject({ status: 422 });
    expect(failed.body.message).toContain(
      "denied request: expression 'object.data.missing == 'x'' resulted in error: no such key: ",
    );
    await inForce("ignores", {
      failurePolicy: "Ignore",
      validations: [{ expression: "object.data.missing == 'x'" }],
    });
    expect((await api.post(maps, map("i", "ignores"))).status).toBe(201);
  });

  test("sees the request, the namespace and what the user may do", async () => {
    await inForce("sees", {
      validations: [
        {
          expression:
            "request.operation == 'CREATE' && request.kind.kind == 'ConfigMap' && request.namespace == 'default'",
        },
        {
          expression:
            "namespaceObject.metadata.name == 'default' && namespaceObject.status.phase == 'Active'",
        },
        {
          expression:
            "authorizer.group('apps').resource('deployments').namespace('default').check('create').allowed()",
        },
        { expression: "authorizer.requestResource.check('update').allowed()" },
        {
          expression:
            "!authorizer.serviceAccount('default', 'default').path('/metrics').check('get').allowed()",
        },
      ],
    });
    const seen = await api.post(maps, map("seen", "sees"));
    expect(seen.body.message).toBeUndefined();
    expect(seen.status).toBe(201);
  });

  test("takes parameters from built-in and custom resources that come and go", async () => {
    const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
    const bound = { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } };
    const validations = [{ expression: "params == null || object.data.size() <= int(params.data.max)" }];
    await inForce("built-in", { paramKind, validations }, bound);
    const none = await api.post(maps, map("p", "built-in", { a: "1" }));
    expect(none.body.message).toContain(
      "denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    );
    expect((await api.post(maps, map("limits", "", { max: "1" }))).status).toBe(201);
    expect((await api.post(maps, map("p", "built-in", { a: "1" }))).status).toBe(201);
    expect((await api.post(maps, map("q", "built-in", { a: "1", b: "2" }))).status).toBe(422);

    await inForce(
      "custom",
      {
        paramKind: { apiVersion: "example.com/v1", kind: "Boat" },
        validations: [{ expression: "object.data.size() <= params.spec.sails" }],
      },
      { paramRef: { selector: {}, parameterNotFoundAction: "Allow" } },
    );
    const unknown = await api.post(maps, map("c", "custom", { a: "1" }));
    expect(unknown.body.message).toContain(
      "denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Boat'",
    );
    await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
    const boats = "/apis/example.com/v1/namespaces/default/boats";
    await vi.waitFor(async () => expect((await api.get(boats)).status).toBe(200), 60_000);
    expect((await api.post(maps, map("c1", "custom", { a: "1", b: "2" }))).status).toBe(201);
    expect((await api.post(boats, boat("small", { sails: 1 }))).status).toBe(201);
    expect((await api.post(maps, map("c2", "custom", { a: "1", b: "2" }))).status).toBe(422);
    expect((await api.post(maps, map("c3", "custom", { a: "1" }))).status).toBe(201);
  });

  test("tells in its status which expressions do not fit the types that it is about", async () => {
    const typed = policy("typed", {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"] },
        ],
      },
      variables: [{ name: "count", expression: "object.spec.replicas" }],
      validations: [
        { expression: "variables.count <= 5 && object.metadata.labels['a'] == 'b'" },
        { expression: "object.spec.replica > 1", messageExpression: "string(object.spec.replcas)" },
      ],
    });
    expect((await api.post(policies, typed)).status).toBe(201);
    await expect
      .poll(async () => (await api.get(`${policies}/typed`)).body.status)
      .toMatchObject({ observedGeneration: 1 });
    const { status } = (await api.get(`${policies}/typed`)).body;
    expect(status.typeChecking.expressionWarnings).toEqual([
      {
        fieldRef: "spec.validations[1].expression",
        warning: expect.stringContaining(
          "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'",
        ),
      },
      {
        fieldRef: "spec.validations[1].messageExpression",
        warning: expect.stringContaining("undefined field 'replcas'"),
      },
    ]);
  });

  test("with bad expressions is refused", async () => {
    const bad = await api.post(
      policies,
      policy("bad", { validations: [{ expression: "object.x ==" }, { expression: "'text'" }] }),
    );
    expect(bad.status).toBe(422);
    expect(bad.body.details.causes).toMatchObject([
      { field: "spec.validations[0].expression", reason: "FieldValueInvalid" },
      {
        field: "spec.validations[1].expression",
        message: `Invalid value: "'text'": must evaluate to bool but got string`,
      },
    ]);
  });
});

test("who writes a policy or a binding may read the parameters", async () => {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const rules = [
    { apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], verbs: ["*"] },
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] },
  ];
  await api.post(`${rbac}/clusterroles`, { metadata: { name: "policy-writer" }, rules });
  await api.post(`${rbac}/clusterrolebindings`, {
    metadata: { name: "policy-writer" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "policy-writer" },
    subjects: [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }],
  });
  const asAlice = (path: string, body: object) =>
    api.ask("POST", path, { body, headers: { "impersonate-user": "alice" } });
  const text = "&{alice  [system:authenticated] map[]}";
  const validations = [{ expression: "true" }];
  const of = (name: string, kind: string) =>
    policy(name, { paramKind: { apiVersion: "v1", kind }, validations });
  const refused = await asAlice(policies, of("secret-params", "Secret"));
  expect([refused.status, refused.body.message]).toEqual([
    422,
    `ValidatingAdmissionPolicy.admissionregistration.k8s.io "secret-params" is invalid: spec.paramKind: Forbidden: user ${text} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)`,
  ]);
  // What is wrong with it besides is told first.
  const bad = policy("bad", {
    paramKind: { apiVersion: "v1", kind: "Secret" },
    validations: [{ expression: "1 +" }],
  });
  expect((await asAlice(policies, bad)).body.message).not.toContain("permission");
  expect((await asAlice(policies, of("map-params", "ConfigMap"))).status).toBe(201);
  expect((await api.post(policies, of("secret-params", "Secret"))).status).toBe(201);

  const refersTo = (name: string) =>
    binding(name, { paramRef: { selector: {}, parameterNotFoundAction: "Allow" } });
  for (const name of ["secret-params", "map-params"]) {
    const answer = await asAlice(bindings, refersTo(name));
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "${name}" is invalid: spec.paramRef: Forbidden: user ${text} does not have "list" permission on the object referenced by paramRef`,
    ]);
  }
  const one = binding("map-params", {
    paramRef: { name: "a", namespace: "default", parameterNotFoundAction: "Allow" },
  });
  expect((await asAlice(bindings, one)).status).toBe(201);
  for (const name of ["secret-params", "map-params"]) {
    await api.delete(`${bindings}/${name}`);
    await api.delete(`${policies}/${name}`);
  }
});

describe("a mutating policy at 1.36", () => {
  const sidecar = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicy",
    metadata: { name: "sidecar" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] },
        ],
      },
      matchConditions: [
        {
          name: "none-yet",
          expression: "!object.spec.template.spec.containers.exists(c, c.name == 'proxy')",
        },
      ],
      mutations: [
        {
          patchType: "ApplyConfiguration",
          applyConfiguration: {
            expression:
              "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'proxy', image: 'proxy:1'}]}}}}",
          },
        },
        {
          patchType: "JSONPatch",
          jsonPatch: {
            expression:
              "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'example.org/size': string(size(object.spec.template.spec.containers))}}]",
          },
        },
      ],
      reinvocationPolicy: "IfNeeded",
    },
  };
  const bound = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name: "sidecar" },
    spec: { policyName: "sidecar" },
  };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "web:1" }] },
      },
    },
  };

  test("changes what kubectl creates, and its result is validated", async () => {
    const newest = await startServerHere({ args: ["--api-level=1.36"] });
    servers.push(newest);
    const client = (args: readonly string[], input: object): Promise<ClientRun> =>
      runClient(clientBinaries().kubectlCurrent, args, {
        kubeconfig: newest.kubeconfig,
        home,
        input: JSON.stringify(input),
      });
    const list = { apiVersion: "v1", kind: "List", items: [sidecar, bound] };
    expect(await client(["apply", "-f", "-"], list)).toMatchObject({ status: 0 });
    const shown = await client(["get", "mutatingadmissionpolicies,mutatingadmissionpolicybindings"], {});
    expect(shown.stdout).toMatch(/sidecar\s+2\s+<unset>/);
    const created = await client(["create", "-o", "json", "-f", "-"], deployment);
    expect(created).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(created.stdout)).toMatchObject({
      metadata: { labels: { "example.org/size": "2" } },
      spec: {
        template: {
          spec: {
            containers: [
              { name: "web" },
              { name: "proxy", image: "proxy:1", imagePullPolicy: "IfNotPresent" },
            ],
          },
        },
      },
    });
    const refused = await client(["apply", "-f", "-"], {
      ...sidecar,
      metadata: { name: "bad" },
      spec: {
        ...sidecar.spec,
        mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "object" } }],
      },
    });
    expect(refused.stderr).toContain("must evaluate to Object but got dyn");
  });

  test("cannot break the managed fields of objects", async () => {
    const newest = await startServerHere({ args: ["--api-level=1.36"] });
    servers.push(newest);
    const mutated = new ApiClient(newest);
    const expression =
      "[JSONPatch{op: 'remove', path: '/metadata/managedFields/0/apiVersion'}, JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]";
    const breaking = {
      ...sidecar,
      spec: {
        ...sidecar.spec,
        matchConstraints: ofMaps,
        matchConditions: [],
        reinvocationPolicy: "Never",
        mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
      },
    };
    const group = "/apis/admissionregistration.k8s.io/v1";
    await mutated.post(`${group}/mutatingadmissionpolicies`, breaking);
    await mutated.post(`${group}/mutatingadmissionpolicybindings`, bound);
    const map = { metadata: { name: "m" }, data: { a: "b" } };
    const { body, headers } = await mutated.post(maps, map);
    expect(body.metadata).toMatchObject({
      labels: { a: "b" },
      managedFields: [{ apiVersion: "v1", operation: "Update" }],
    });
    expect(String(headers.warning)).toContain(
      ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: apiVersion must not be empty",
    );
    await mutated.close();
  });

  test("cannot make objects that have unknown fields, or values of the wrong type", async () => {
    const newest = await startServerHere({ args: ["--api-level=1.36"] });
    servers.push(newest);
    const mutated = new ApiClient(newest);
    const patchOf = (path: string) => ({
      ...sidecar,
      spec: {
        ...sidecar.spec,
        failurePolicy: "Ignore",
        mutations: [
          {
            patchType: "JSONPatch",
            jsonPatch: { expression: `[JSONPatch{op: 'add', path: '${path}', value: 'x'}]` },
          },
        ],
      },
    });
    const group = "/apis/admissionregistration.k8s.io/v1";
    for (const [path, problem] of [
      ["/spec/nope", 'strict decoding error: unknown field "spec.nope"'],
      [
        "/spec/replicas",
        "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
      ],
    ] as const) {
      await mutated.post(`${group}/mutatingadmissionpolicies`, patchOf(path));
      await mutated.post(`${group}/mutatingadmissionpolicybindings`, bound);
      const { status, body } = await mutated.post("/apis/apps/v1/namespaces/default/deployments", deployment);
      expect([status, body.message]).toEqual([500, `Internal error occurred: ${problem}`]);
      await mutated.delete(`${group}/mutatingadmissionpolicybindings/sidecar`);
      await mutated.delete(`${group}/mutatingadmissionpolicies/sidecar`);
    }
    await mutated.close();
  });

  test("is served in v1beta1 at 1.35 where it is switched on", async () => {
    const older = await startServerHere({
      args: [
        "--api-level=1.35",
        "--feature-gates=MutatingAdmissionPolicy=true",
        "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
      ],
    });
    servers.push(older);
    const client = new ApiClient(older);
    const beta = "/apis/admissionregistration.k8s.io/v1beta1";
    const apiVersion = "admissionregistration.k8s.io/v1beta1";
    expect((await client.post(`${beta}/mutatingadmissionpolicies`, { ...sidecar, apiVersion })).status).toBe(
      201,
    );
    expect(
      (await client.post(`${beta}/mutatingadmissionpolicybindings`, { ...bound, apiVersion })).status,
    ).toBe(201);
    const made = await client.post("/apis/apps/v1/namespaces/default/deployments", deployment);
    expect(made.body.spec.template.spec.containers).toHaveLength(2);
    await client.close();
  });
});

test("validating policies are served in v1beta1 at 1.28 where they are switched on", async () => {
  const older = await startServerHere({
    args: [
      "--api-level=1.28",
      "--feature-gates=ValidatingAdmissionPolicy=true",
      "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
    ],
  });
  servers.push(older);
  const client = new ApiClient(older);
  const beta = "/apis/admissionregistration.k8s.io/v1beta1";
  const apiVersion = "admissionregistration.k8s.io/v1beta1";
  const old = { ...policy("old", { validations: [{ expression: "!has(object.data)" }] }), apiVersion };
  expect((await client.post(`${beta}/validatingadmissionpolicies`, old)).body).toMatchObject({
    apiVersion,
    spec: { failurePolicy: "Fail" },
  });
  expect(
    (await client.post(`${beta}/validatingadmissionpolicybindings`, { ...binding("old"), apiVersion }))
      .status,
  ).toBe(201);
  expect((await client.post(maps, map("old", "", { a: "1" }))).body.message).toContain(
    "ValidatingAdmissionPolicy 'old' with binding 'old' denied request",
  );
  await client.close();
});

test("a level without policies does not serve them", async () => {
  const older = await startServerHere({ args: ["--api-level=1.29"] });
  servers.push(older);
  const client = new ApiClient(older);
  expect((await client.get(policies)).status).toBe(404);
  await client.close();
});

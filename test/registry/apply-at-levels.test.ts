import { afterAll, describe, expect, test, vi } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { boatDefinition } from "../support/boat-definition.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

const opened: Promise<ApiGround>[] = [];
afterAll(async () => {
  for (const ground of opened) await (await ground).dispose();
});

const grounds = new Map<ApiLevel, Promise<ApiGround>>();

async function at(apiLevel: ApiLevel): Promise<ApiGround["api"]> {
  let ground = grounds.get(apiLevel);
  if (ground === undefined) {
    ground = openApiGround({ apiLevel });
    grounds.set(apiLevel, ground);
    opened.push(ground);
  }
  return (await ground).api;
}

/** Test grounds with boats, whose `spec.log` is free-form. */
const withBoats = new Map<ApiLevel, Promise<ApiGround["api"]>>();

function boatsAt(level: ApiLevel): Promise<ApiGround["api"]> {
  let api = withBoats.get(level);
  if (api === undefined) {
    api = defineBoats(level);
    withBoats.set(level, api);
  }
  return api;
}

async function defineBoats(level: ApiLevel): Promise<ApiGround["api"]> {
  const api = await at(level);
  const ground = await grounds.get(level);
  await ground?.server.customResources.start();
  const definition: Json = structuredClone(boatDefinition());
  const [version] = definition.spec.versions;
  version.schema.openAPIV3Schema.properties.spec.properties.log = {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  };
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  await vi.waitFor(
    () => expect(ground?.server.catalog.find("example.com", "v1", "boats")).toBeDefined(),
    15_000,
  );
  return api;
}

const boats = "/apis/example.com/v1/namespaces/default/boats";
const boat = (name: string, rest: object = {}, metadata: object = {}): Json => ({
  apiVersion: "example.com/v1",
  kind: "Boat",
  metadata: { name, ...metadata },
  ...rest,
});

/** `manager/subresource` → the top-level fields that it owns. */
function owners(object: Json): Record<string, string[]> {
  return Object.fromEntries(
    object.metadata.managedFields.map((entry: Json) => [
      [entry.manager, entry.subresource].filter(Boolean).join("/"),
      Object.keys(entry.fieldsV1),
    ]),
  );
}

describe("the status of a custom resource", () => {
  const written = async (level: ApiLevel) => {
    const api = await boatsAt(level);
    await api.apply(`${boats}/sloop?fieldManager=owner`, boat("sloop", { spec: { sails: 1 } }));
    const status = boat("sloop", { status: { sails: 2 } }, { labels: { a: "b" } });
    return (await api.apply(`${boats}/sloop/status?fieldManager=crew`, status)).body;
  };

  test.each<[ApiLevel, string[]]>([
    ["1.23", ["f:metadata", "f:status"]],
    ["1.35", ["f:metadata", "f:status"]],
    ["1.36", ["f:status"]],
  ])("at %s its writers own %j", async (level, fields) => {
    const object = await written(level);
    expect(owners(object)["crew/status"]).toEqual(fields);
    expect(object.metadata.labels).toBeUndefined();
  });
});

test.each<[ApiLevel, boolean]>([
  ["1.35", false],
  ["1.36", true],
])("at %s, writers of the status of a definition own its labels: %s", async (level, owns) => {
  const api = await at(level);
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const definition = boatDefinition();
  await api.post(path, definition);
  const status = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: definition.metadata.name, labels: { a: "b" } },
    status: {
      storedVersions: ["v1"],
      acceptedNames: { plural: "boats", kind: "Boat" },
      conditions: [
        {
          type: "Tested",
          status: "True",
          reason: "R",
          message: "",
          lastTransitionTime: "2024-01-01T00:00:00Z",
        },
      ],
    },
  };
  const { body } = await api.apply(`${path}/${definition.metadata.name}/status?fieldManager=crew`, status);
  expect(body.metadata?.labels, JSON.stringify(body)).toEqual({ a: "b" });
  expect(owners(body)["crew/status"]?.includes("f:metadata")).toBe(owns);
});

test.each<ApiLevel>(["1.23", "1.30", "1.31", "1.36"])(
  "at %s, lists in free-form parts have one owner",
  async (level) => {
    const api = await boatsAt(level);
    const log = (manager: string, value: object) =>
      api.apply(`${boats}/ketch?fieldManager=${manager}`, boat("ketch", { spec: { sails: 1, log: value } }));
    expect((await log("ann", { ports: ["a", "b"], at: { x: 1 } })).code).toBe(201);
    expect((await log("bob", { at: { y: 2 } })).body.spec.log).toEqual({
      ports: ["a", "b"],
      at: { x: 1, y: 2 },
    });
    const refused = await log("bob", { at: { y: 2 }, ports: ["c"] });
    expect(refused.code).toBe(409);
    expect(refused.body.details.causes.map(({ field }: Json) => field)).toEqual([".spec.log.ports"]);
  },
);

const configMaps = "/api/v1/namespaces/default/configmaps";

describe("an entry's time", () => {
  const config = (data: object) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "clock" },
    data,
  });

  test.each<ApiLevel>(["1.23", "1.24", "1.31", "1.36"])(
    "at %s stays with an apply that changes nothing, and so does the version",
    async (level) => {
      const api = await at(level);
      const first = (await api.apply(`${configMaps}/clock?fieldManager=a`, config({ a: "1" }))).body;
      // Clients print what they do not know.
      const metadata = { name: "clock", creationTimestamp: null, resourceVersion: null };
      const sent = { ...config({ a: "1" }), metadata };
      const again = (await api.apply(`${configMaps}/clock?fieldManager=a`, sent)).body;
      expect(again).toEqual(first);
    },
  );

  test.each<[ApiLevel, boolean]>([
    ["1.24", false],
    ["1.25", true],
    ["1.36", true],
  ])("at %s moves with new values: %s", async (level, moves) => {
    const api = await at(level);
    const path = `${configMaps}/clock`;
    const past = "2020-01-01T00:00:00Z";
    await api.delete(path);
    const created = await api.post(`${configMaps}?fieldManager=a`, config({ a: "1" }));
    created.body.metadata.managedFields[0].time = past;
    created.body.data.b = "2";
    await api.put(`${path}?fieldManager=b`, created.body);
    const { body: changed } = await api.mergePatch(`${path}?fieldManager=a`, { data: { a: "2" } });
    const [entry] = changed.metadata.managedFields.filter(({ manager }: Json) => manager === "a");
    expect(entry.time !== past).toBe(moves);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.24", true],
    ["1.25", false],
    ["1.36", false],
  ])("at %s is that of an apply that only claims fields: %s", async (level, isDated) => {
    const api = await at(level);
    const path = `${configMaps}/claimed`;
    const claimed = { ...config({ a: "1" }), metadata: { name: "claimed" } };
    await api.apply(`${path}?fieldManager=a`, claimed);
    const { body } = await api.apply(`${path}?fieldManager=b`, claimed);
    const entry = body.metadata.managedFields.find(({ manager }: Json) => manager === "b");
    expect(entry.fieldsV1).toEqual({ "f:data": { "f:a": {} } });
    expect(entry.time !== undefined).toBe(isDated);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.23", true],
    ["1.24", false],
    ["1.36", false],
  ])("at %s, an update of nothing else is stored: %s", async (level, isStored) => {
    const api = await at(level);
    const path = `${configMaps}/clock`;
    await api.apply(`${path}?fieldManager=a`, config({ a: "1" }));
    const { body: before } = await api.get(path);
    const changed = structuredClone(before);
    changed.metadata.managedFields[0].time = "2020-01-01T00:00:00Z";
    const { body: after } = await api.put(path, changed);
    expect(after.metadata.resourceVersion !== before.metadata.resourceVersion).toBe(isStored);
    expect(after.metadata.managedFields[0].time === before.metadata.managedFields[0].time).toBe(!isStored);
  });
});

const pods = "/api/v1/namespaces/default/pods";

// Older servers refused to apply to objects whose lists have two items of one key; here every level allows it.
test.each<ApiLevel>(["1.26", "1.27", "1.36"])(
  "at %s, items of one key are no obstacle unless they are applied",
  async (level) => {
    const api = await at(level);
    const name = "twice";
    const env = [
      { name: "A", value: "1" },
      { name: "A", value: "2" },
    ];
    const pod = (container: object, labels: object = {}) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels },
      spec: { containers: [{ name: "app", ...container }] },
    });
    expect((await api.post(pods, pod({ image: "app:1", env }))).code).toBe(201);
    const applied = await api.apply(`${pods}/${name}?fieldManager=a`, pod({}, { a: "b" }));
    expect(applied.code, JSON.stringify(applied.body)).toBe(200);
    expect(applied.body.spec.containers[0].env).toEqual(env);
    const refused = await api.apply(`${pods}/${name}?fieldManager=a`, pod({ env }));
    expect(refused.code).toBeGreaterThanOrEqual(400);
    expect(refused.body.message).toContain('duplicate entries for key [name="A"]');
  },
);

describe("how lists and structs merge", () => {
  const volume = (name: string, rest: object): Json => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: rest,
  });

  test.each<[ApiLevel, object]>([
    ["1.24", { name: "b" }],
    ["1.25", { namespace: "ns", name: "b" }],
    ["1.36", { namespace: "ns", name: "b" }],
  ])("at %s the claim of a volume that two apply is %j", async (level, claimRef) => {
    const api = await at(level);
    const path = "/api/v1/persistentvolumes/disk";
    const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } };
    await api.apply(
      `${path}?fieldManager=a`,
      volume("disk", { ...spec, claimRef: { namespace: "ns", name: "a" } }),
    );
    const { body } = await api.apply(
      `${path}?fieldManager=b&force=true&dryRun=All`,
      volume("disk", { claimRef: { name: "b" } }),
    );
    expect(body.spec.claimRef).toEqual(claimRef);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.28", false],
    ["1.29", true],
    ["1.36", true],
  ])("at %s an apply may change the order of items alone: %s", async (level, reorders) => {
    const api = await at(level);
    const template = (names: string[], hostname?: string) => ({
      apiVersion: "v1",
      kind: "PodTemplate",
      metadata: { name: "ordered" },
      template: { spec: { containers: names.map((name) => ({ name, image: "i" })), hostname } },
    });
    const path = "/api/v1/namespaces/default/podtemplates/ordered";
    const namesOf = ({ body }: Json) => body.template.spec.containers.map(({ name }: Json) => name);
    const first = await api.apply(`${path}?fieldManager=a`, template(["x", "y", "z"]));
    const second = await api.apply(`${path}?fieldManager=a`, template(["z", "x", "y"]));
    expect(namesOf(second)).toEqual(reorders ? ["z", "x", "y"] : ["x", "y", "z"]);
    expect(second.body.metadata.resourceVersion !== first.body.metadata.resourceVersion).toBe(reorders);
    const third = await api.apply(`${path}?fieldManager=a`, template(["z", "y", "x"], "h"));
    expect(namesOf(third)).toEqual(["z", "y", "x"]);
  });

  test.each<ApiLevel>(["1.34", "1.36"])(
    "at %s the status of a claim's device need not name its share",
    async (level) => {
      const api = await at(level);
      const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
      const claim = (rest: object): Json => ({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceClaim",
        metadata: { name: "gpu" },
        ...rest,
      });
      const spec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c" } }] } };
      await api.post(claims, claim({ spec }));
      const device = { driver: "d.example.com", pool: "p", device: "gpu-0" };
      const allocation = { devices: { results: [{ request: "r", ...device }] } };
      await api.mergePatch(`${claims}/gpu/status`, { status: { allocation } });
      const status = { devices: [{ ...device, data: { a: "b" } }] };
      const answer = await api.apply(`${claims}/gpu/status?fieldManager=d`, claim({ status }));
      expect(answer.code, JSON.stringify(answer.body)).toBe(200);
      const { fieldsV1 } = answer.body.metadata.managedFields.find(({ manager }: Json) => manager === "d");
      expect(Object.keys(fieldsV1["f:status"]["f:devices"])).toEqual([
        'k:{"device":"gpu-0","driver":"d.example.com","pool":"p"}',
      ]);
    },
  );

  test.each<[ApiLevel, string]>([
    ["1.33", 'omits key field "name"'],
    ["1.34", 'omits all key fields ["name"]'],
  ])("at %s, an item without any key is refused: %s", async (level, text) => {
    const api = await at(level);
    const path = "/api/v1/namespaces/default/serviceaccounts/nameless";
    const config = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "nameless" } };
    const { code, body } = await api.apply(`${path}?fieldManager=a`, { ...config, secrets: [{ kind: "a" }] });
    expect([code, body.message]).toEqual([400, expect.stringContaining(text)]);
  });

  test.each<ApiLevel>(["1.29", "1.30", "1.36"])("at %s, host aliases merge by address", async (level) => {
    const api = await at(level);
    const template = (hostAliases: object[]) => ({
      apiVersion: "v1",
      kind: "PodTemplate",
      metadata: { name: "t" },
      template: { spec: { containers: [{ name: "c", image: "i" }], hostAliases } },
    });
    const path = "/api/v1/namespaces/default/podtemplates/t";
    await api.apply(`${path}?fieldManager=a`, template([{ ip: "1.1.1.1", hostnames: ["a"] }]));
    const { body } = await api.apply(
      `${path}?fieldManager=b`,
      template([{ ip: "1.1.1.2", hostnames: ["b"] }]),
    );
    expect(body.template.spec.hostAliases.map(({ ip }: Json) => ip).toSorted()).toEqual([
      "1.1.1.1",
      "1.1.1.2",
    ]);
  });
});

test.each<ApiLevel>(["1.23", "1.36"])("at %s a scale to none owns nothing new", async (level) => {
  const api = await at(level);
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { app: "idle" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await api.post(`${path}?fieldManager=a`, { metadata: { name: "idle" }, spec });
  const scale = { metadata: { name: "idle", namespace: "default" }, spec: {} };
  expect((await api.put(`${path}/idle/scale?fieldManager=b`, scale)).code).toBe(200);
  const { body } = await api.get(`${path}/idle`);
  const owners = body.metadata.managedFields.filter((entry: Json) => entry.fieldsV1["f:spec"]["f:replicas"]);
  expect(owners.map(({ manager }: Json) => manager)).toEqual(["a"]);
});

describe("a configuration of another type", () => {
  const path = "/api/v1/namespaces/default/configmaps/odd?fieldManager=a";
  const type = { apiVersion: "v1", kind: "ConfigMap" };

  test.each<[ApiLevel, object, number, string]>([
    ["1.36", { ...type, kind: "Pod" }, 400, "invalid object type: /v1, Kind=Pod"],
    ["1.28", { ...type, apiVersion: "apps/v1" }, 400, "invalid object type: apps/v1, Kind=ConfigMap"],
    ["1.28", { ...type, apiVersion: "a/b/c" }, 400, "invalid object type: /, Kind="],
    ["1.28", { kind: "ConfigMap" }, 400, "invalid object type: /, Kind=ConfigMap"],
    [
      "1.27",
      { ...type, apiVersion: "apps/v1" },
      400,
      "Incorrect version specified in apply patch. Specified patch version: apps/v1, expected: v1",
    ],
    [
      "1.27",
      { ...type, apiVersion: "a/b/c" },
      400,
      "Incorrect version specified in apply patch. Specified patch version: , expected: v1",
    ],
    [
      "1.27",
      { apiVersion: "v1" },
      400,
      "failed to create typed patch object (/; /v1, Kind=): no corresponding type for /v1, Kind=",
    ],
    [
      "1.36",
      { ...type, metadata: { name: "odd" }, binaryData: { a: "zz!" } },
      400,
      "failed to convert new object (/odd; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: error decoding from json: illegal base64 data at input byte 2",
    ],
    [
      "1.36",
      { ...type, metadata: { name: 1, managedFields: "x" } },
      400,
      "failed to create typed patch object (/; /v1, Kind=ConfigMap): errors:\n  .metadata.name: expected string, got &value.valueUnstructured{Value:1}\n  .metadata.managedFields: expected list, got &{x}",
    ],
  ])("at %s %j is answered %i", async (level, config, code, message) => {
    const api = await at(level);
    const answer = await api.apply(path, config);
    expect([answer.code, answer.body.message]).toEqual([code, message]);
  });
});

describe("an entry of a version", () => {
  const budgets = "namespaces/default/poddisruptionbudgets/b";
  const budget = (version: string, spec: object): Json => ({
    apiVersion: `policy/${version}`,
    kind: "PodDisruptionBudget",
    metadata: { name: "b" },
    spec,
  });
  const spec = { minAvailable: 1, selector: { matchLabels: { a: "b" } } };

  test.each<[ApiLevel, string[]]>([
    ["1.24", ["old"]],
    ["1.25", []],
    ["1.36", []],
  ])("that %s does not serve is forgotten", async (level, managers) => {
    const api = await at(level);
    const entry = {
      manager: "old",
      operation: "Apply",
      apiVersion: "policy/v1beta1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:minAvailable": {} } },
    };
    const { body: created } = await api.post(
      "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
      budget("v1", spec),
    );
    created.metadata.managedFields = [entry];
    const { body } = await api.put(`/apis/policy/v1/${budgets}`, created);
    expect((body.metadata.managedFields ?? []).map(({ manager }: Json) => manager)).toEqual(managers);
  });
});

// What clients do that move from client-side apply: they rename the manager by a patch of the entries.
test.each<ApiLevel>(["1.25", "1.26", "1.36"])(
  "at %s, a client's own fields become applied ones",
  async (level) => {
    const api = await at(level);
    const path = `${configMaps}/moved`;
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "moved" },
      data: { a: "1", b: "2" },
    };
    await api.post(`${configMaps}?fieldManager=kubectl-client-side-apply`, object);
    const { body: before } = await api.get(path);
    const entries = before.metadata.managedFields.map((entry: Json) => ({
      ...entry,
      manager: "kubectl",
      operation: "Apply",
    }));
    const patch = (resourceVersion: string) =>
      api.ask("PATCH", path, {
        contentType: "application/json-patch+json",
        body: [
          { op: "replace", path: "/metadata/managedFields", value: entries },
          { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
        ],
      });
    expect((await patch("1")).code).toBe(409);
    expect((await patch(before.metadata.resourceVersion)).code).toBe(200);
    const { body } = await api.apply(`${path}?fieldManager=kubectl`, { ...object, data: { a: "1" } });
    expect(body.data).toEqual({ a: "1" });
  },
);

test.each<[ApiLevel, number, object | undefined]>([
  ["1.27", 422, undefined],
  ["1.28", 200, { b: "2" }],
  ["1.36", 200, { b: "2" }],
])(
  "at %s, new labels with a directive in a strategic merge patch are answered %i",
  async (level, code, annotations) => {
    const api = await at(level);
    await api.post(configMaps, { metadata: { name: "plain" } });
    const metadata = { labels: { $patch: "replace", a: "1" }, annotations: { b: "2" } };
    const { code: answered, body } = await api.ask("PATCH", `${configMaps}/plain?dryRun=All`, {
      contentType: "application/strategic-merge-patch+json",
      body: { metadata },
    });
    expect([answered, body.metadata?.labels, body.metadata?.annotations]).toEqual([
      code,
      undefined,
      annotations,
    ]);
  },
);

describe("a part of a pod", () => {
  const pod = (name: string, spec: object, labels?: object): Json => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels },
    spec,
  });
  const fieldsOf = (object: Json, manager: string) =>
    object.metadata.managedFields.find((entry: Json) => entry.manager === manager)?.fieldsV1;

  test.each<[ApiLevel, boolean]>([
    ["1.23", false],
    ["1.32", false],
    ["1.33", true],
    ["1.36", true],
  ])("at %s who applies its ephemeral containers owns the configuration: %s", async (level, owns) => {
    const api = await at(level);
    await api.post(pods, pod("debugged", { containers: [{ name: "app", image: "i" }] }));
    const spec = { ephemeralContainers: [{ name: "shell", image: "sh" }] };
    const { code, body } = await api.apply(
      `${pods}/debugged/ephemeralcontainers?fieldManager=d`,
      pod("debugged", spec, { a: "b" }),
    );
    expect(code, JSON.stringify(body)).toBe(200);
    expect(body.spec.ephemeralContainers).toMatchObject([{ name: "shell" }]);
    const shell = { ".": {}, "f:image": {}, "f:name": {} };
    const all = {
      "f:metadata": { "f:labels": { "f:a": {} } },
      "f:spec": { "f:ephemeralContainers": { 'k:{"name":"shell"}': shell } },
    };
    expect(fieldsOf(body, "d")).toEqual(owns ? all : undefined);
  });

  test.each<ApiLevel>(["1.33", "1.36"])(
    "at %s who applies its resize owns the configuration",
    async (level) => {
      const api = await at(level);
      const resources = (cpu: string) => ({ requests: { cpu }, limits: { cpu: "2" } });
      const container = (cpu: string) => ({ name: "app", resources: resources(cpu) });
      await api.post(pods, pod("resized", { containers: [{ ...container("1"), image: "i" }] }));
      const { code, body } = await api.apply(
        `${pods}/resized/resize?fieldManager=r&force=true`,
        pod(
          "resized",
          { containers: [{ name: "app", resources: { requests: { cpu: "500m" } } }] },
          { a: "b" },
        ),
      );
      expect(code, JSON.stringify(body)).toBe(200);
      const app = { ".": {}, "f:name": {}, "f:resources": { "f:requests": { "f:cpu": {} } } };
      expect(fieldsOf(body, "r")).toEqual({
        "f:metadata": { "f:labels": { "f:a": {} } },
        "f:spec": { "f:containers": { 'k:{"name":"app"}': app } },
      });
    },
  );
});

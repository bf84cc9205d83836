import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

/** Unknown and duplicate fields in what clients send: refused, warned of or dropped, as they ask. */

const deployments = "/apis/apps/v1/namespaces/default/deployments";
let server: ServerHere;
let api: ApiClient;

beforeAll(async () => {
  server = await startServerHere();
  api = new ApiClient(server);
  await api.ask("POST", deployments, { raw: json("there") });
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

function json(name: string): string {
  return `{
  "apiVersion": "apps/v1",
  "kind": "Deployment",
  "metadata": { "name": "${name}", "labels": { "app": "nginx" } },
  "spec": {
    "unknown1": "val1",
    "unknownDupe": "valDupe",
    "unknownDupe": "valDupe2",
    "paused": true,
    "paused": false,
    "selector": { "matchLabels": { "app": "nginx" } },
    "template": {
      "metadata": { "labels": { "app": "nginx" } },
      "spec": {
        "containers": [{
          "name": "nginx",
          "image": "nginx:latest",
          "unknownNested": "val1",
          "imagePullPolicy": "Always",
          "imagePullPolicy": "Never"
        }]
      }
    }
  }
}`;
}

function yaml(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: nginx
spec:
  unknown1: val1
  unknownDupe: valDupe
  unknownDupe: valDupe2
  paused: true
  paused: false
  selector:
    matchLabels:
      app: nginx
  template:
    metadata:
      labels:
        app: nginx
    spec:
      containers:
      - name: nginx
        image: nginx:latest
        unknownNested: val1
        imagePullPolicy: Always
        imagePullPolicy: Never
`;
}

const inJson = [
  'unknown field "spec.unknown1"',
  'unknown field "spec.unknownDupe"',
  'duplicate field "spec.paused"',
  'unknown field "spec.template.spec.containers[0].unknownNested"',
  'duplicate field "spec.template.spec.containers[0].imagePullPolicy"',
];
const inYaml = [
  'line 10: key "unknownDupe" already set in map',
  'line 12: key "paused" already set in map',
  'line 26: key "imagePullPolicy" already set in map',
];
const unknownInOrder = [
  'unknown field "spec.template.spec.containers[0].unknownNested"',
  'unknown field "spec.unknown1"',
  'unknown field "spec.unknownDupe"',
];
const yamlText = ["yaml: unmarshal errors:", ...inYaml].join("\n  ");

function warningsOf({ headers }: ApiAnswer): string[] {
  const { warning = [] } = headers;
  const lines = typeof warning === "string" ? splitWarnings(warning) : warning;
  return lines.map((line) => JSON.parse(line.replace(/^299 - /, "")) as string);
}

/** Several headers of a name come joined by commas. */
function splitWarnings(text: string): string[] {
  return text.split(/, (?=299 - ")/);
}

test("a warning beyond ASCII is UTF-8, written once", async () => {
  const { headers } = await api.post(
    "/api/v1/namespaces/default/configmaps?dryRun=All&fieldValidation=Warn",
    {
      metadata: { name: "a" },
      daté: 1,
    },
  );
  expect(Buffer.from(String(headers.warning), "latin1").toString()).toContain('unknown field \\"daté\\"');
});

describe.each([
  ["POST", "application/json", json, inJson.join(", "), inJson],
  ["PUT", "application/json", json, inJson.join(", "), inJson],
  [
    "POST",
    "application/yaml",
    yaml,
    [yamlText, ...unknownInOrder].join(", "),
    [...inYaml, ...unknownInOrder],
  ],
  ["PUT", "application/yaml", yaml, [yamlText, ...unknownInOrder].join(", "), [...inYaml, ...unknownInOrder]],
] as const)("%s of %s", (method, contentType, textOf, errors, warnings) => {
  const send = (query: string) => {
    const name = method === "PUT" ? "there" : "new";
    const path = method === "PUT" ? `${deployments}/there` : deployments;
    return api.ask(method, `${path}?dryRun=All&${query}`, { raw: textOf(name), contentType });
  };

  test("Strict refuses it", async () => {
    const answer = await send("fieldValidation=Strict");
    expect(answer.body).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: `Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ${errors}`,
    });
  });

  test("Warn warns of it", async () => {
    const answer = await send("fieldValidation=Warn");
    expect(answer.status).toBe(method === "PUT" ? 200 : 201);
    expect(warningsOf(answer)).toEqual(warnings);
    expect(answer.body.spec.paused).toBeUndefined();
  });

  test.each(["fieldValidation=Ignore", ""])("%s drops it", async (query) => {
    const answer = await send(query);
    expect(answer.status).toBe(method === "PUT" ? 200 : 201);
    expect(warningsOf(answer)).toEqual([]);
    expect(answer.text).not.toContain("unknown1");
  });
});

const mergeBody = `{
  "spec": {
    "unknown1": "val1",
    "unknownDupe": "valDupe",
    "unknownDupe": "valDupe2",
    "paused": true,
    "paused": false,
    "template": { "spec": { "containers": [{
      "name": "nginx",
      "image": "nginx:latest",
      "unknownNested": "val1",
      "imagePullPolicy": "Always",
      "imagePullPolicy": "Never"
    }] } }
  }
}`;
const jsonPatchBody = `[
  {"op": "add", "path": "/spec/unknown1", "value": "val1", "foo":"bar"},
  {"op": "add", "path": "/spec/unknown2", "path": "/spec/unknown3", "value": "val1"},
  {"op": "add", "path": "/spec/unknownDupe", "value": "valDupe"},
  {"op": "add", "path": "/spec/unknownDupe", "value": "valDupe2"},
  {"op": "add", "path": "/spec/paused", "value": true},
  {"op": "add", "path": "/spec/paused", "value": false},
  {"op": "add", "path": "/spec/template/spec/containers/0/unknownNested", "value": "val1"}
]`;
const duplicatesInPatch = [
  'duplicate field "spec.unknownDupe"',
  'duplicate field "spec.paused"',
  'duplicate field "spec.template.spec.containers[0].imagePullPolicy"',
];

describe.each([
  [
    "application/merge-patch+json",
    mergeBody,
    [...duplicatesInPatch, ...unknownInOrder],
    /^"\{\\"apiVersion\\":/,
  ],
  [
    "application/strategic-merge-patch+json",
    mergeBody,
    [...duplicatesInPatch, ...unknownInOrder],
    /^"map\[spec:map\[paused:false template:map\[spec:map\[containers:\[map\[image:nginx:latest /,
  ],
  [
    "application/json-patch+json",
    jsonPatchBody,
    [
      'json patch unknown field "[0].foo"',
      'json patch duplicate field "[1].path"',
      'unknown field "spec.template.spec.containers[0].unknownNested"',
      'unknown field "spec.unknown1"',
      'unknown field "spec.unknown3"',
      'unknown field "spec.unknownDupe"',
    ],
    /^"\{\\"apiVersion\\":/,
  ],
])("%s", (contentType, raw, errors, shown) => {
  const send = (query: string) =>
    api.ask("PATCH", `${deployments}/there?dryRun=All&${query}`, { raw, contentType });

  test("Strict refuses it", async () => {
    const answer = await send("fieldValidation=Strict");
    expect(answer.body).toMatchObject({
      code: 422,
      reason: "Invalid",
      details: { causes: [{ field: "patch" }] },
    });
    const pattern = /^ "" is invalid: patch: Invalid value: (".*"): strict decoding error: (.*)$/;
    const [, value, why] = pattern.exec(answer.body.message) ?? [];
    expect(why).toBe(errors.join(", "));
    expect(value).toMatch(shown);
  });

  test("Warn warns of it", async () => {
    const answer = await send("fieldValidation=Warn");
    expect(answer.status).toBe(200);
    expect(warningsOf(answer)).toEqual(errors);
  });

  test("Ignore drops it", async () => {
    const answer = await send("fieldValidation=Ignore");
    expect(answer.status).toBe(200);
    expect(warningsOf(answer)).toEqual([]);
    expect(answer.text).not.toContain("unknown1");
  });
});

describe("apply", () => {
  const contentType = "application/apply-patch+yaml";
  const send = (raw: string, query: string) =>
    api.ask("PATCH", `${deployments}/applied?dryRun=All&fieldManager=m&${query}`, { raw, contentType });
  const known = yaml("applied").replace(/^.*unknown.*\n/gm, "");
  const lines = [
    'line 9: key "paused" already set in map',
    'line 22: key "imagePullPolicy" already set in map',
  ];

  test("Strict refuses keys that are set twice", async () => {
    const answer = await send(known, "fieldValidation=Strict");
    expect(answer.body).toMatchObject({
      code: 400,
      message: `error strict decoding YAML: ${["yaml: unmarshal errors:", ...lines].join("\n  ")}`,
    });
  });

  test("Warn warns of them", async () => {
    const answer = await send(known, "fieldValidation=Warn");
    expect(answer.status).toBe(201);
    expect(warningsOf(answer)).toEqual(lines);
  });

  test("Ignore takes the last", async () => {
    const answer = await send(known, "fieldValidation=Ignore");
    expect(answer.status).toBe(201);
    expect(warningsOf(answer)).toEqual([]);
  });

  test.each(["Strict", "Warn", "Ignore"])(
    "%s: a field that the type lacks is refused in any case",
    async (validation) => {
      const answer = await send(yaml("applied"), `fieldValidation=${validation}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body.message).toContain(".spec.unknown1: field not declared in schema");
    },
  );
});

describe("objects that are no resources of their own", () => {
  const pods = "/api/v1/namespaces/default/pods";
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const merge = "application/merge-patch+json";

  beforeAll(async () => {
    const spec = { containers: [{ name: "a", image: "a" }] };
    await api.ask("POST", pods, { body: { metadata: { name: "there" }, spec } });
    await api.ask("POST", accounts, { body: { metadata: { name: "there" } } });
  });

  test.each([
    [
      "Scale",
      "v1",
      "PUT",
      `${deployments}/there/scale`,
      { metadata: { name: "there", namespace: "default" }, spec: { replicas: 2 } },
    ],
    [
      "Binding",
      "v1",
      "POST",
      `${pods}/there/binding`,
      { metadata: { name: "there" }, target: { name: "n" } },
    ],
    [
      "Binding",
      "v1",
      "POST",
      "/api/v1/namespaces/default/bindings",
      { metadata: { name: "there" }, target: { name: "n" } },
    ],
    ["Eviction", "v1", "POST", `${pods}/there/eviction`, { metadata: { name: "there" } }],
    ["TokenRequest", "v1", "POST", `${accounts}/there/token`, { spec: { audiences: ["a"] } }],
  ])("%s (%s): %s %s", async (kind, version, method, path, object) => {
    const send = (validation: string) =>
      api.ask(method, `${path}?dryRun=All&fieldValidation=${validation}`, {
        body: { kind, ...object, unknown1: 1 },
      });
    const error = 'unknown field "unknown1"';
    expect((await send("Strict")).body).toMatchObject({
      code: 400,
      message: `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${error}`,
    });
    const warned = await send("Warn");
    expect(warned.status).toBeLessThan(300);
    expect(warningsOf(warned)).toEqual([error]);
    const ignored = await send("Ignore");
    expect(ignored.status).toBeLessThan(300);
    expect(warningsOf(ignored)).toEqual([]);

    const nothing = await api.ask(method, path, { raw: "", contentType: "application/json" });
    expect(nothing.body).toMatchObject({
      code: 400,
      message: `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    });
    const foreign = await api.ask(method, path, { body: { ...object, kind, apiVersion: "other/v1" } });
    expect(foreign.status).toBe(400);
    expect(foreign.body.message).toBe(
      `${kind} in version "v1" cannot be handled as a ${kind}: no kind "${kind}" is registered for version "other/v1"`,
    );
  });

  test("a patch of a scale", async () => {
    const send = (validation: string) =>
      api.ask("PATCH", `${deployments}/there/scale?dryRun=All&fieldValidation=${validation}`, {
        contentType: merge,
        body: { spec: { replicas: 3, unknown1: 1 } },
      });
    const error = 'unknown field "spec.unknown1"';
    const refused = await send("Strict");
    expect(refused.status).toBe(422);
    expect(refused.body.message).toMatch(
      /^ "" is invalid: patch: Invalid value: "\{.*\}": strict decoding error: unknown field "spec\.unknown1"$/,
    );
    expect(warningsOf(await send("Warn"))).toEqual([error]);
    expect(warningsOf(await send("Ignore"))).toEqual([]);
  });

  test("an applied scale", async () => {
    const raw = "kind: Scale\napiVersion: autoscaling/v1\nspec:\n  replicas: 2\n  replicas: 3\n";
    const answer = await api.ask(
      "PATCH",
      `${deployments}/there/scale?dryRun=All&fieldManager=m&force=true&fieldValidation=Warn`,
      { raw, contentType: "application/apply-patch+yaml" },
    );
    expect(answer.status).toBe(200);
    expect(warningsOf(answer)).toEqual(['line 5: key "replicas" already set in map']);
  });
});

test("another word is refused", async () => {
  const answer = await api.ask("POST", `${deployments}?fieldValidation=Sometimes`, { raw: json("x") });
  expect(answer.body).toMatchObject({ code: 422, reason: "Invalid" });
  expect(answer.body.message).toContain("fieldValidation");
});

test("a wrong type in a patch is told with what the patch came to", async () => {
  const patch = { contentType: "application/merge-patch+json", body: { spec: { replicas: "three" } } };
  const answer = await api.ask("PATCH", `${deployments}/there`, patch);
  expect(answer.body).toMatchObject({ code: 422, reason: "Invalid" });
  expect(answer.body.message).toMatch(
    /^ "" is invalid: patch: Invalid value: "\{.*\}": json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
  );
});

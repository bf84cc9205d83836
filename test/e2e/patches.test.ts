import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiAnswer } from "../support/api-client.js";
import {
  causesOf,
  deployment,
  type GroundHere,
  jsonPatch,
  mergePatch,
  openGroundHere,
  strategicPatch,
} from "../support/fixtures.js";

let ground: GroundHere;
const maps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

beforeAll(async () => {
  ground = await openGroundHere();
  await ground.api.post(deployments, deployment("web", threeContainers));
});

afterAll(async () => {
  await ground.dispose();
});

const containers = ["a", "b", "c"].map((name) => ({ name, image: `${name}:1` }));
const threeContainers = {
  template: { metadata: { labels: { app: "web" } }, spec: { containers } },
};

const patch = (path: string, type: string, body: unknown): Promise<ApiAnswer> =>
  ground.api.patch(path, type, body);
const ofTemplate = (spec: object): object => ({ spec: { template: { spec } } });

describe("strategic merge", () => {
  test("a directive in data that the config map does not have is an entry, and no valid one", async () => {
    await ground.api.post(maps, { metadata: { name: "bare" } });
    const body = { data: { $patch: "replace", a: "1" } };
    const refused = await patch(`${maps}/bare`, strategicPatch, body);
    expect(refused.status).toBe(422);
    expect(causesOf(refused)).toEqual([
      "data[$patch]: Invalid value: \"$patch\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ]);
    await patch(`${maps}/bare`, mergePatch, { data: { b: "2" } });
    expect((await patch(`${maps}/bare`, strategicPatch, body)).body.data).toEqual({ a: "1" });
  });

  /** Without storing, so that each starts from the same object. */
  const patched = async (body: object): Promise<ApiAnswer> => {
    const answer = await patch(`${deployments}/web?dryRun=All`, strategicPatch, body);
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };
  const images = ({ body }: ApiAnswer): string[] =>
    body.spec.template.spec.containers.map((c: { name: string; image: string }) => `${c.name} ${c.image}`);

  test.each<[string, object, string[]]>([
    ["an item by its key", { containers: [{ name: "b", image: "b:2" }] }, ["a a:1", "b b:2", "c c:1"]],
    ["a new item", { containers: [{ name: "d", image: "d:1" }] }, ["d d:1", "a a:1", "b b:1", "c c:1"]],
    ["$patch delete", { containers: [{ name: "b", $patch: "delete" }] }, ["a a:1", "c c:1"]],
    ["$patch replace", { containers: [{ $patch: "replace" }, { name: "z", image: "z:1" }] }, ["z z:1"]],
    [
      "$setElementOrder",
      { "$setElementOrder/containers": [{ name: "c" }, { name: "a" }, { name: "b" }] },
      ["c c:1", "a a:1", "b b:1"],
    ],
    [
      "order, deletion and change together",
      {
        "$setElementOrder/containers": [{ name: "c" }, { name: "a" }],
        containers: [
          { name: "a", image: "a:2" },
          { name: "b", $patch: "delete" },
        ],
      },
      ["c c:1", "a a:2"],
    ],
  ])("%s", async (_what, spec, expected) => {
    expect(images(await patched(ofTemplate(spec)))).toEqual(expected);
  });

  test("$retainKeys clears the other members of a union", async () => {
    const { body } = await patched({
      spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
    });
    expect(body.spec.strategy).toEqual({ type: "Recreate" });
    const half = await patch(`${deployments}/web?dryRun=All`, strategicPatch, {
      spec: { strategy: { type: "Recreate" } },
    });
    expect(causesOf(half)).toEqual([
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ]);
  });

  test("$deleteFromPrimitiveList takes values out", async () => {
    await ground.api.post(maps, {
      metadata: { name: "final", finalizers: ["example.com/a", "example.com/b"] },
    });
    const { body } = await patch(`${maps}/final`, strategicPatch, {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"], finalizers: ["example.com/c"] },
    });
    expect([...body.metadata.finalizers].sort()).toEqual(["example.com/b", "example.com/c"]);
  });

  test("null deletes, and maps merge", async () => {
    const { body } = await patched({
      metadata: { labels: { app: null, tier: "front" } },
      spec: { replicas: null },
    });
    expect([body.metadata.labels, body.spec.replicas]).toEqual([{ tier: "front" }, 1]);
  });

  test.each<[string, object, string, RegExp]>([
    [
      "an item without its key",
      ofTemplate({ containers: [{ image: "x" }] }),
      "spec.template.spec.containers[0]",
      /does not contain declared merge key: name/,
    ],
    [
      "an unknown directive",
      ofTemplate({ containers: [{ name: "a", $patch: "append" }] }),
      "spec.template.spec.containers",
      /unknown patch type: append/,
    ],
    [
      "a directive that is none for an object",
      { spec: { strategy: { $patch: "append" } } },
      "spec.strategy",
      /unknown patch type: append/,
    ],
    [
      "an order that leaves an item out",
      ofTemplate({ "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "d", image: "d" }] }),
      "spec.template.spec.containers",
      /doesn't match \$setElementOrder list/,
    ],
    [
      "values among objects",
      ofTemplate({ containers: ["a"] }),
      "spec.template.spec.containers",
      /list element types are not identical/,
    ],
    [
      "an order of what is no list",
      { "$setElementOrder/spec": [] },
      "spec",
      /^expected a \[\]interface {}, but received a map/,
    ],
  ])("%s is the client's mistake, and the field is named", async (_what, body, field, message) => {
    const answer = await patch(`${deployments}/web`, strategicPatch, body);
    expect(answer.body).toMatchObject({
      code: 422,
      reason: "Invalid",
      details: { causes: [{ field, message: expect.stringMatching(message) }] },
    });
    expect(answer.body.message).toContain(`${field}: `);
  });

  test.each<[string, object]>([
    ["retainKeys that is no list", { spec: { strategy: { $retainKeys: "type" } } }],
    [
      "a field that retainKeys does not name",
      { spec: { strategy: { $retainKeys: ["type"], rollingUpdate: {} } } },
    ],
  ])("%s is a bad request", async (_what, body) => {
    const answer = await patch(`${deployments}/web`, strategicPatch, body);
    expect(answer.body).toMatchObject({ code: 400, reason: "BadRequest" });
  });

  test.each<[string, object, RegExp]>([
    ["a wrong type", { spec: { replicas: "two" } }, /unrecognized type: int32/],
    [
      "a message where a list belongs",
      ofTemplate({ containers: { name: "a" } }),
      /cannot restore slice from map/,
    ],
  ])("%s makes no object", async (_what, body, message) => {
    const answer = await patch(`${deployments}/web`, strategicPatch, body);
    expect(answer.body).toMatchObject({
      code: 422,
      reason: "Invalid",
      details: { causes: [{ field: "patch", message: expect.stringMatching(message) }] },
    });
  });
});

describe("JSON patch", () => {
  const operate = (operations: unknown): Promise<ApiAnswer> =>
    patch(`${deployments}/web?dryRun=All`, jsonPatch, operations);

  test("performs the operations in order", async () => {
    const { body } = await operate([
      { op: "test", path: "/spec/replicas", value: 2 },
      { op: "replace", path: "/spec/replicas", value: 3 },
      { op: "add", path: "/metadata/annotations", value: {} },
      { op: "add", path: "/metadata/annotations/example.com~1a", value: "1" },
      { op: "copy", from: "/metadata/annotations/example.com~1a", path: "/metadata/annotations/b" },
      { op: "move", from: "/metadata/annotations/b", path: "/metadata/annotations/c" },
      { op: "remove", path: "/spec/template/spec/containers/1" },
      { op: "add", path: "/spec/template/spec/containers/-", value: { name: "d", image: "d:1" } },
      { op: "add", path: "/spec/template/spec/containers/0", value: { name: "e", image: "e:1" } },
    ]);
    expect(body.spec.replicas).toBe(3);
    expect(body.metadata.annotations).toEqual({ "example.com/a": "1", c: "1" });
    expect(body.spec.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual([
      "e",
      "a",
      "c",
      "d",
    ]);
  });

  test.each<[string, unknown, number]>([
    ["a failing test", [{ op: "test", path: "/spec/replicas", value: 7 }], 422],
    ["a missing path", [{ op: "remove", path: "/spec/nothing" }], 422],
    [
      "an index beyond the list",
      [{ op: "replace", path: "/spec/template/spec/containers/9", value: {} }],
      422,
    ],
    ["an object", { op: "test" }, 400],
    ["an unknown operation", [{ op: "swap", path: "/spec" }], 422],
    [
      "more than 10,000 operations",
      Array.from({ length: 10_001 }, () => ({ op: "test", path: "/kind", value: "Deployment" })),
      413,
    ],
    [
      "copies that grow without bound",
      [
        { op: "add", path: "/metadata/annotations", value: { a: "x".repeat(1024) } },
        ...Array.from({ length: 5000 }, (_, index) => ({
          op: "copy",
          from: "/metadata/annotations/a",
          path: `/metadata/annotations/${index}`,
        })),
      ],
      422,
    ],
  ])("%s is refused", async (_what, operations, status) => {
    const answer = await operate(operations);
    expect([answer.status, answer.body.kind], answer.text.slice(0, 300)).toEqual([status, "Status"]);
  });
});

describe("what an object is", () => {
  const answers = async (body: object): Promise<[number, string][]> => {
    const query = "?dryRun=All";
    const merged = await patch(`${deployments}/web${query}`, mergePatch, body);
    const strategic = await patch(`${deployments}/web${query}`, strategicPatch, body);
    return [merged, strategic].map(({ status, body: { message } }) => [status, message]);
  };

  test.each<[string, object, string]>([
    ["name", { name: "other" }, "the name of the object (other) does not match the name on the URL (web)"],
    [
      "missing name",
      { name: null },
      "the name of the object (web based on URL) was undeterminable: name must be provided",
    ],
    [
      "namespace",
      { namespace: "other" },
      "the namespace of the object (other) does not match the namespace on the request (default)",
    ],
  ])("another %s is a bad request", async (_what, metadata, message) => {
    expect(await answers({ metadata })).toEqual([
      [400, message],
      [400, message],
    ]);
  });

  test.each<[string, object, string]>([
    ["kind", { kind: "Pod" }, 'no kind "Pod" is registered for version "apps/v1"'],
    ["version", { apiVersion: "v1" }, 'no kind "Deployment" is registered for version "v1"'],
  ])("another %s makes no object; in a strategic patch it says nothing", async (_what, body, why) => {
    const [merged, strategic] = await answers(body);
    expect([merged?.[0], strategic?.[0]]).toEqual([422, 200]);
    expect(merged?.[1]).toContain(why);
    expect((await patch(`${deployments}/web?dryRun=All`, strategicPatch, body)).body).toMatchObject({
      apiVersion: "apps/v1",
      kind: "Deployment",
    });
  });

  test("what is no JSON is a bad request, in the words of whoever reads it", async () => {
    const messages = [jsonPatch, mergePatch, strategicPatch].map(async (contentType) => {
      const answer = await ground.api.ask("PATCH", `${deployments}/web`, {
        raw: Buffer.from("{"),
        contentType,
      });
      expect(answer.status).toBe(400);
      return answer.body.message;
    });
    expect(await Promise.all(messages)).toEqual([
      "unexpected end of JSON input",
      "Invalid JSON Patch",
      "unexpected end of JSON input",
    ]);
  });

  test("a value of a wrong type is told in the words of what reads it", async () => {
    const told = async (replicas: unknown): Promise<string[]> => {
      const [merged, strategic] = await answers({ spec: { replicas } });
      return [merged, strategic].map((each) => String(each?.[1]).replace(/^.*": /s, ""));
    };
    const json = "into Go struct field DeploymentSpec.spec.replicas of type int32";
    expect(await told("x")).toEqual([`json: cannot unmarshal string ${json}`, "unrecognized type: int32"]);
    expect(await told(1.5)).toEqual([
      `json: cannot unmarshal number 1.5 ${json}`,
      "cannot convert float64 to int32",
    ]);
  });

  test.each([
    ["an update", undefined, '{"spec":{"replicas":1.0}}', 400],
    ["a merge patch", mergePatch, '{"spec":{"replicas":1.0}}', 422],
    ["a JSON patch", jsonPatch, '[{"op":"replace","path":"/spec/replicas","value":1.0}]', 422],
    ["a strategic merge patch", strategicPatch, '{"spec":{"replicas":1.0}}', 200],
    [
      "a test of the one that is there",
      jsonPatch,
      '[{"op":"test","path":"/spec/replicas","value":1.0}]',
      422,
    ],
  ])("1.0 is no integer in %s", async (_what, contentType = "application/json", text, status) => {
    const method = status === 400 ? "PUT" : "PATCH";
    for (const fieldValidation of ["Ignore", "Strict"]) {
      const path = `${deployments}/web?dryRun=All&fieldValidation=${fieldValidation}`;
      const answer = await ground.api.ask(method, path, { raw: Buffer.from(text), contentType });
      expect(answer.status, answer.text).toBe(status);
      if (status === 200) expect(answer.body.spec.replicas).toBe(1);
      else if (text.includes("test")) expect(answer.body.message).toMatch(/rejected our request/);
      else
        expect(answer.body.message).toMatch(
          /number 1\.0 into Go struct field DeploymentSpec\.spec\.replicas/,
        );
    }
  });

  test("its times and counts cannot be changed: some are told so, others overlooked", async () => {
    const { metadata } = (await ground.api.get(`${deployments}/web`)).body;
    const overlooked = { creationTimestamp: "2001-01-01T00:00:00Z", generation: 99, selfLink: "/x" };
    const answer = await patch(`${deployments}/web?dryRun=All`, mergePatch, { metadata: overlooked });
    expect(answer.body.metadata).toEqual(metadata);
    const told = await patch(`${deployments}/web`, mergePatch, {
      metadata: { uid: "x", deletionTimestamp: "2001-01-01T00:00:00Z", deletionGracePeriodSeconds: 3 },
    });
    const once = [
      'metadata.uid: Invalid value: "x": field is immutable',
      "metadata.deletionTimestamp: Invalid value: 2001-01-01 00:00:00 +0000 UTC: field is immutable",
      "metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable",
    ];
    // The kind's own validation looks at metadata again.
    expect(causesOf(told)).toEqual([...once, ...once]);
  });
});

describe("merge patch", () => {
  test("replaces lists, merges objects, deletes by null", async () => {
    const { body } = await patch(`${deployments}/web?dryRun=All`, mergePatch, {
      metadata: { labels: { app: null, x: "y" } },
      spec: { template: { spec: { containers: [{ name: "only", image: "o:1" }] } } },
    });
    expect(body.metadata.labels).toEqual({ x: "y" });
    expect(body.spec.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual(["only"]);
  });

  test("a list makes no object", async () => {
    const answer = await patch(`${deployments}/web`, mergePatch, []);
    expect(answer.body).toMatchObject({ code: 422, details: { causes: [{ field: "patch" }] } });
  });

  test.each([
    ["a text", "x"],
    ["a number", 1],
  ])("%s is no patch of an object", async (_what, body) => {
    const answer = await patch(`${deployments}/web`, mergePatch, body);
    expect([answer.status, answer.body.kind]).toEqual([400, "Status"]);
  });

  test("what comes out is validated whole", async () => {
    const answer = await patch(`${deployments}/web`, mergePatch, {
      spec: { replicas: -1, selector: { matchLabels: { app: "other" } } },
    });
    expect(answer.status).toBe(422);
    expect(causesOf(answer)).toEqual(
      expect.arrayContaining([
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
        expect.stringMatching(/^spec\.selector: Invalid value: .*field is immutable$/),
      ]),
    );
    expect((await ground.api.get(`${deployments}/web`)).body.spec.replicas).toBe(2);
  });
});

describe("at the same time", () => {
  const workers = 12;

  test("patches without a version are all carried out", async () => {
    await ground.api.post(maps, { metadata: { name: "busy" }, data: {} });
    const answers = await Promise.all(
      Array.from({ length: workers }, (_, index) => index).flatMap((index) => [
        patch(`${maps}/busy`, mergePatch, { data: { [`m${index}`]: "1" } }),
        patch(`${maps}/busy`, strategicPatch, { data: { [`s${index}`]: "1" } }),
        patch(`${maps}/busy`, jsonPatch, [{ op: "add", path: `/metadata/annotations`, value: { a: "b" } }]),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { data } = (await ground.api.get(`${maps}/busy`)).body;
    expect(Object.keys(data)).toHaveLength(2 * workers);
  });

  test("of those with the same version one wins", async () => {
    const { metadata } = (await ground.api.get(`${maps}/busy`)).body;
    const answers = await Promise.all(
      Array.from({ length: workers }, (_, index) =>
        patch(`${maps}/busy`, mergePatch, {
          metadata: { resourceVersion: metadata.resourceVersion },
          data: { once: `${index}` },
        }),
      ),
    );
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).toEqual([200, ...Array.from({ length: workers - 1 }, () => 409)]);
  });

  test("updates with the same version lose nothing either", async () => {
    await ground.api.post(maps, { metadata: { name: "counter" }, data: { n: "0" } });
    const increment = async (): Promise<void> => {
      for (;;) {
        const { body } = await ground.api.get(`${maps}/counter`);
        body.data.n = String(Number(body.data.n) + 1);
        const answer = await ground.api.put(`${maps}/counter`, body);
        if (answer.status === 200) return;
        expect(answer.status).toBe(409);
      }
    };
    await Promise.all(Array.from({ length: workers }, increment));
    expect((await ground.api.get(`${maps}/counter`)).body.data.n).toBe(String(workers));
  });
});

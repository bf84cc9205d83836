import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { sharedGrounds } from "../support/shared-grounds.js";

/** What requests of newer clients meet at each level: before a behaviour, with it, and at the newest. */

const maps = "/api/v1/namespaces/default/configmaps";
const ground = sharedGrounds();
const apiAt = async (level: ApiLevel) => (await ground(`--api-level=${level}`)).api;

describe("unknown and duplicate fields", () => {
  const raw = '{"metadata":{"name":"a"},"nonsense":1,"data":{"k":"1","k":"2"}}';
  const create = async (level: ApiLevel, validation: string) =>
    (await apiAt(level)).ask("POST", `${maps}?dryRun=All${validation}`, { raw });

  test.each(["", "&fieldValidation=Strict"])("mean nothing at 1.24, with %j", async (validation) => {
    const { status, headers } = await create("1.24", validation);
    expect([status, headers.warning]).toEqual([201, undefined]);
  });

  test.each(["1.25", "1.35"] as const)(
    "are warned of at %s, and refused where they shall be",
    async (level) => {
      const warned = await create(level, "");
      expect([warned.status, warned.headers.warning]).toEqual([
        201,
        ['299 - "unknown field \\"nonsense\\""', '299 - "duplicate field \\"data.k\\""'],
      ]);
      const ignored = await create(level, "&fieldValidation=Ignore");
      expect([ignored.status, ignored.headers.warning]).toEqual([201, undefined]);
      const strict = await create(level, "&fieldValidation=Strict");
      expect(strict.body).toMatchObject({
        code: 400,
        reason: "BadRequest",
        message:
          'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nonsense", duplicate field "data.k"',
      });
    },
  );
});

test.each([
  ["1.24", "json: cannot unmarshal object into Go value of type jsonpatch.Patch"],
  [
    "1.25",
    "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
  ],
] as const)("at %s an object that is sent as a JSON patch is answered %j", async (level, message) => {
  const api = await apiAt(level);
  await api.ask("POST", maps, { body: { metadata: { name: "patched" } } });
  const answer = await api.ask("PATCH", `${maps}/patched`, {
    contentType: "application/json-patch+json",
    body: { data: {} },
  });
  expect(answer.body).toMatchObject({ code: 400, reason: "BadRequest", message });
});

test.each<[ApiLevel, accept: string, number]>([
  ["1.30", "application/json;as=Other;g=meta.k8s.io;v=v1", 406],
  ["1.33", "application/json;as=Other;g=meta.k8s.io;v=v1", 422],
  ["1.33", "application/json", 422],
  // No path of a built-in kind has it.
  ["1.33", "text/plain", 406],
])(
  "at %s, a list for %s with options that do not go together is answered %d",
  async (level, accept, status) => {
    const answer = await (await apiAt(level)).ask("GET", `${maps}?resourceVersionMatch=Exact`, {
      headers: { accept },
    });
    expect(answer.status).toBe(status);
  },
);

describe("discovery in one document", () => {
  const accept = (version: string) =>
    `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

  test.each<[ApiLevel, readonly string[]]>([
    ["1.23", ["v2", "v2beta1"]],
    ["1.26", []],
    ["1.27", ["v2beta1"]],
    ["1.30", ["v2", "v2beta1"]],
    ["1.33", ["v2"]],
    ["1.35", ["v2"]],
  ])("at %s has the versions %j", async (level, versions) => {
    const api = await apiAt(level);
    const offered = [];
    for (const version of ["v2", "v2beta1"]) {
      const { status, body, headers } = await api.ask("GET", "/apis", {
        headers: { accept: accept(version) },
      });
      if (status !== 200) {
        expect([status, body.reason]).toEqual([406, "NotAcceptable"]);
        continue;
      }
      offered.push(version);
      expect(headers["content-type"]).toBe(accept(version));
      expect(body).toMatchObject({
        kind: "APIGroupDiscoveryList",
        apiVersion: `apidiscovery.k8s.io/${version}`,
      });
      const again = await api.ask("GET", "/apis", {
        headers: { accept: accept(version), "if-none-match": String(headers.etag) },
      });
      expect([again.status, again.text]).toEqual([304, ""]);
    }
    expect(offered).toEqual(versions);
    // What clients send: the newest form first, the classic one last.
    const fallback = await api.ask("GET", "/apis", {
      headers: { accept: `${accept("v2")},${accept("v2beta1")},application/json` },
    });
    expect(fallback.body.kind).toBe(versions.length === 0 ? "APIGroupList" : "APIGroupDiscoveryList");
    expect(fallback.headers.vary).toBe(versions.length === 0 ? undefined : "Accept");
  });
});

describe("a watch with the initial state", () => {
  const asked = `${maps}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;

  /** The types of a watch's first events, and where the state ends. */
  async function beginning(level: ApiLevel, path: string): Promise<string[]> {
    const seen: string[] = [];
    const api = await apiAt(level);
    for await (const { type, object } of api.watch(`${path}&timeoutSeconds=1`)) {
      if (type === "BOOKMARK") {
        const { annotations } = object.metadata;
        seen.push(annotations?.["k8s.io/initial-events-end"] === "true" ? "END" : "BOOKMARK");
      } else {
        seen.push(type);
      }
    }
    return seen;
  }

  test.each(["1.32", "1.34", "1.35"] as const)("ends it with a bookmark at %s", async (level) => {
    await (await apiAt(level)).post(maps, { metadata: { name: "first" } });
    expect((await beginning(level, asked)).filter((type) => type !== "BOOKMARK")).toEqual([
      "ADDED",
      "ADDED",
      "END",
    ]);
    expect(await beginning(level, `${maps}?watch=1&allowWatchBookmarks=true`)).toContain("END");
    expect(await beginning(level, `${maps}?watch=1&allowWatchBookmarks=true&resourceVersion=0`)).toContain(
      "END",
    );
    expect(await beginning(level, `${maps}?watch=1`)).toEqual(["ADDED", "ADDED"]);
  });

  // Without the name that they know, kubectl and informers wait until their time is over.
  test("is marked for unchanged clients in the other profile too", async () => {
    const server = await startServerHere({ profile: "orch", args: ["--api-level=1.36"] });
    const api = new ApiClient(server);
    try {
      for await (const { type, object } of api.watch(`${asked}&timeoutSeconds=60`)) {
        if (type !== "BOOKMARK") continue;
        expect(object.metadata.annotations).toEqual({
          "k8s.io/initial-events-end": "true",
          "orch.io/initial-events-end": "true",
        });
        break;
      }
    } finally {
      await api.close();
      await server.dispose();
    }
    expect.assertions(1);
  });

  test.each([
    [
      "&sendInitialEvents=true",
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    ],
    [
      "&resourceVersionMatch=NotOlderThan",
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    ],
    [
      "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=a",
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided",
    ],
  ])("is refused with %s at 1.35", async (query, why) => {
    const { status, body } = await (await apiAt("1.35")).get(`${maps}?watch=1${query}`);
    expect([status, body.message]).toEqual([422, `ListOptions.meta.k8s.io "" is invalid: ${why}`]);
  });

  test.each(["1.27", "1.31", "1.33"] as const)("is forbidden at %s, where the gate is off", async (level) => {
    const { status, body } = await (await apiAt(level)).get(asked);
    expect([status, body.message]).toEqual([
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    ]);
    expect(await beginning(level, `${maps}?watch=1&allowWatchBookmarks=true`)).not.toContain("END");
  });

  test("is not known at 1.26", async () => {
    const { body } = await (await apiAt("1.26")).get(asked);
    expect(body.message).toContain("resourceVersionMatch is forbidden for watch");
    expect(
      await beginning("1.26", `${maps}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true`),
    ).not.toContain("END");
  });

  test.each<[ApiLevel, number]>([
    ["1.26", 200],
    ["1.27", 422],
    ["1.35", 422],
  ])("is no list: at %s that is answered %i", async (level, wanted) => {
    const { status, body } = await (await apiAt(level)).get(`${maps}?sendInitialEvents=true`);
    expect(status).toBe(wanted);
    if (wanted === 422) expect(body.message).toContain("sendInitialEvents is forbidden for list");
  });

  // Their options are those of a list.
  test("is not begun by the older paths", async () => {
    const older = maps.replace("/api/v1/", "/api/v1/watch/");
    const asksForState = `${older}?sendInitialEvents=true&resourceVersion=0&resourceVersionMatch=NotOlderThan`;
    const { status, body } = await (await apiAt("1.35")).get(asksForState);
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining("sendInitialEvents is forbidden for list"),
    ]);
    expect(await beginning("1.35", `${older}?allowWatchBookmarks=true`)).not.toContain("END");
  });
});

describe("OpenAPI", () => {
  test.each<[ApiLevel, boolean]>([
    ["1.26", false],
    ["1.27", true],
    ["1.35", true],
  ])("has the parameter sendInitialEvents at %s: %s", async (level, has) => {
    const { body } = await (await apiAt(level)).get("/openapi/v3/api/v1");
    const { get, delete: deletion } = body.paths["/api/v1/namespaces/{namespace}/configmaps"];
    for (const { parameters } of [get, deletion]) {
      const names = parameters.map(({ name }: { name: string }) => name);
      expect(names).toContain("resourceVersionMatch");
      expect(names.includes("sendInitialEvents")).toBe(has);
    }
  });

  test.each<[ApiLevel, boolean]>([
    ["1.23", false],
    ["1.24", true],
    ["1.35", true],
  ])("lists the values of a field at %s: %s", async (level, has) => {
    const { body } = await (await apiAt(level)).get("/openapi/v2");
    const policy = body.definitions["io.k8s.api.core.v1.Container"].properties.imagePullPolicy;
    expect(policy.enum).toEqual(has ? ["Always", "IfNotPresent", "Never"] : undefined);
  });

  test.each<[ApiLevel, unknown]>([
    ["1.29", undefined],
    ["1.32", [{ fieldPath: "spec.color" }]],
    ["1.35", [{ fieldPath: "spec.color" }]],
  ])("names the fields that custom resources are selected by, at %s", async (level, fields) => {
    const api = await apiAt(level);
    const spec = { type: "object", properties: { color: { type: "string" } } };
    const created = await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "boats.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "boats", kind: "Boat" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
            selectableFields: [{ jsonPath: ".spec.color" }],
          },
        ],
      },
    });
    expect(created.status).toBe(201);
    const document = () => api.get("/openapi/v3/apis/example.com/v1");
    await expect.poll(async () => (await document()).status).toBe(200);
    const boat = (await document()).body.components.schemas["com.example.v1.Boat"];
    expect(boat["x-kubernetes-selectable-fields"]).toEqual(fields);
  });
});

describe("an object without a creation time", () => {
  test.each<[ApiLevel, boolean]>([
    ["1.33", true],
    ["1.34", false],
    ["1.36", false],
  ])("says null at %s: %s", async (level, says) => {
    const metadata = { labels: { a: "b" } };
    const { status, text } = await (await apiAt(level)).post(
      "/apis/apps/v1/namespaces/default/deployments?dryRun=All",
      {
        metadata: { name: "d" },
        spec: {
          selector: { matchLabels: metadata.labels },
          template: { metadata, spec: { containers: [{ name: "c", image: "i" }] } },
        },
      },
    );
    expect(status).toBe(201);
    expect(text.includes('"creationTimestamp":null')).toBe(says);
  });
});

describe("the table of a scale", () => {
  const table = { accept: "application/json;as=Table;g=meta.orch.io;v=v1,application/json" };
  const sets = "/apis/apps/v1/namespaces/default/replicasets";

  test.each(["1.24", "1.36"] as const)("tells wanted and existing replicas at %s", async (level) => {
    const api = await apiAt(level);
    const metadata = { name: "scaled", labels: { a: "b" } };
    const template = { metadata, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { replicas: 3, selector: { matchLabels: metadata.labels }, template };
    const created = await api.post(sets, { metadata, spec });
    expect(created.status).toBe(201);
    const { resourceVersion } = created.body.metadata;
    const ask = async (query = "") =>
      (await api.ask("GET", `${sets}/scaled/scale${query}`, { headers: table })).body;
    const shown = await ask();
    expect(shown).toMatchObject({ kind: "Table", metadata: { resourceVersion } });
    expect(shown.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      "Name",
      "Desired",
      "Available",
      "Age",
    ]);
    expect(shown.columnDefinitions[0]).toMatchObject({ format: "" });
    expect(shown.rows).toEqual([
      {
        cells: ["scaled", 3, 0, expect.any(String)],
        object: {
          kind: "PartialObjectMetadata",
          apiVersion: "meta.orch.io/v1",
          metadata: expect.objectContaining({ name: "scaled", resourceVersion }),
        },
      },
    ]);
    expect((await ask("?includeObject=Object")).rows[0].object).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 3 },
    });
    expect((await ask("?includeObject=None")).rows[0].object).toBeNull();
  });

  test("does not exist at 1.23", async () => {
    const api = await apiAt("1.23");
    await api.post("/api/v1/namespaces/default/replicationcontrollers", {
      metadata: { name: "scaled" },
      spec: {
        selector: { a: "b" },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
    const { body } = await api.ask("GET", "/api/v1/namespaces/default/replicationcontrollers/scaled/scale", {
      headers: table,
    });
    expect(body.kind).toBe("Scale");
  });
});

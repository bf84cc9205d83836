import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boatDefinition, boatVersion } from "../support/boat-definition.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { type RemotePeer, startRemotePeer } from "../support/remote-peer.js";
import { TestAuthority } from "../support/test-authority.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boats = (version: string, name = "") =>
  `/apis/example.com/${version}/namespaces/default/boats${name === "" ? "" : `/${name}`}`;

/** What v1 calls `sails`, v2 calls `masts`. */
const v2 = {
  ...boatVersion,
  name: "v2",
  storage: false,
  subresources: { status: {} },
  selectableFields: undefined,
  additionalPrinterColumns: [{ name: "Masts", type: "integer", jsonPath: ".spec.masts" }],
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: { masts: { type: "integer", minimum: 0 }, colour: { type: "string" } },
        },
        status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};

let server: ServerHere;
let api: ApiClient;
let webhook: RemotePeer;
let convertedBy: { readonly url: string; readonly caBundle: string };
/** What the webhook does with a review, where a test wants something else. */
let misbehave: ((review: Review) => object) | undefined;

interface Review {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Boat[];
  };
}

interface Boat {
  readonly apiVersion: string;
  readonly metadata: object;
  readonly spec?: Record<string, unknown>;
}

function converted(object: Boat, apiVersion: string): object {
  const { sails, masts, ...spec } = object.spec ?? {};
  const count = sails ?? masts;
  return {
    ...object,
    apiVersion,
    spec: { ...spec, ...(count !== undefined && { [apiVersion.endsWith("v2") ? "masts" : "sails"]: count }) },
  };
}

function answerTo(review: Review): object {
  const { uid, desiredAPIVersion, objects } = review.request;
  return {
    apiVersion: review.apiVersion,
    kind: "ConversionReview",
    response: {
      uid,
      convertedObjects: objects.map((object) => converted(object, desiredAPIVersion)),
      result: { status: "Success" },
    },
  };
}

beforeAll(async () => {
  server = await startServerHere();
  api = new ApiClient(server);
  const authority = await TestAuthority.create("webhooks");
  webhook = await startRemotePeer({ authority }, ({ body }) => {
    const review: Review = JSON.parse(body);
    return { body: (misbehave ?? answerTo)(review) };
  });
  convertedBy = { url: `${webhook.url}/convert`, caBundle: Buffer.from(authority.caPem).toString("base64") };
  await define(api);
});

/** Serves boats in both versions. */
async function define(client: ApiClient, second: object = v2): Promise<void> {
  const definition = boatDefinition({ versions: [boatVersion, second] });
  const conversion = {
    strategy: "Webhook",
    webhook: { clientConfig: convertedBy, conversionReviewVersions: ["v1"] },
  };
  const created = await client.post(definitions, { ...definition, spec: { ...definition.spec, conversion } });
  expect(created).toMatchObject({ status: 201 });
  await vi.waitFor(async () => expect((await client.get(boats("v1"))).status).toBe(200), 60_000);
}

afterAll(async () => {
  await api.close();
  await server.dispose();
  await webhook.close();
});

beforeEach(() => {
  misbehave = undefined;
});

const boat = (version: string, name: string, spec: object) => ({
  apiVersion: `example.com/${version}`,
  kind: "Boat",
  metadata: { name, labels: { fleet: "a" } },
  spec,
});

test("objects are read and written in either version", async () => {
  expect(await api.post(boats("v1"), boat("v1", "one", { sails: 2 }))).toMatchObject({ status: 201 });
  expect((await api.get(boats("v2", "one"))).body).toMatchObject({
    apiVersion: "example.com/v2",
    spec: { masts: 2 },
  });

  const two = await api.post(boats("v2"), boat("v2", "two", { masts: 3 }));
  expect(two).toMatchObject({ status: 201, body: { apiVersion: "example.com/v2", spec: { masts: 3 } } });
  expect((await api.get(boats("v1", "two"))).body).toMatchObject({ spec: { sails: 3 } });
  for (const versions of ['from_version="v1",to_version="v2"', 'from_version="v2",to_version="v1"']) {
    expect((await api.get("/metrics")).text).toContain(
      `\napiserver_crd_webhook_conversion_duration_seconds_count{crd_name="boats.example.com",${versions},succeeded="true"} `,
    );
  }

  const changed = await api.put(boats("v2", "two"), { ...two.body, spec: { masts: 4 } });
  expect(changed.body).toMatchObject({ spec: { masts: 4 }, metadata: { generation: 2 } });
  const patched = await api.patch(boats("v2", "two"), "application/merge-patch+json", {
    spec: { colour: "red" },
  });
  expect(patched.body.spec).toEqual({ masts: 4, colour: "red" });
});

test("what a client sends is checked in its own version", async () => {
  const refused = await api.post(boats("v2"), boat("v2", "bad", { masts: -1 }));
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.body.message).toContain("spec.masts: Invalid value: -1");
});

test("a list is converted in one call, over one connection", async () => {
  for (const name of ["a", "b", "c"]) await api.post(boats("v1"), boat("v1", `many-${name}`, { sails: 1 }));
  const before = webhook.requests.length;
  const list = await api.get(boats("v2"));
  expect(list.body.items.length).toBeGreaterThanOrEqual(3);
  for (const { spec } of list.body.items) expect(spec).toHaveProperty("masts");
  expect(webhook.requests.length - before).toBe(1);
  await api.get(boats("v2"));
  expect(webhook.requests.length - before).toBe(1);
  const table = await api.ask("GET", boats("v2"), {
    headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
  });
  expect(table.body.columnDefinitions[1].name).toBe("Masts");
  expect(webhook.connections()).toBe(1);
});

test("watches see each event in their version", async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { type, object } of api.watch(
      `${boats("v2")}?watch=1&fieldSelector=metadata.name%3Dwatched`,
      stop.signal,
    )) {
      seen.push(`${type} ${object.apiVersion} ${object.spec?.masts}`);
    }
  })().catch(() => {});
  await api.post(boats("v1"), boat("v1", "watched", { sails: 1 }));
  await api.patch(boats("v1", "watched"), "application/merge-patch+json", { spec: { sails: 2 } });
  await api.delete(boats("v1", "watched"));
  await expect
    .poll(() => seen)
    .toEqual(["ADDED example.com/v2 1", "MODIFIED example.com/v2 2", "DELETED example.com/v2 2"]);
  stop.abort();
  await watching;
});

test("a watch waits for a webhook that fails, and misses nothing", async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const { body: start } = await api.get(boats("v2"));
  const since = `watch=1&resourceVersion=${start.metadata.resourceVersion}`;
  const watching = (async () => {
    for await (const { type, object } of api.watch(`${boats("v2")}?${since}`, stop.signal)) {
      seen.push(`${type} ${object.metadata.name} ${object.spec?.masts}`);
    }
    seen.push("the end");
  })().catch(() => {});
  let failures = 0;
  misbehave = (review) => {
    failures++;
    return { ...answerTo(review), response: { uid: review.request.uid, result: { status: "Failure" } } };
  };
  await api.post(boats("v1"), boat("v1", "waited", { sails: 1 }));
  await expect.poll(() => failures).toBeGreaterThan(0);
  await api.patch(boats("v1", "waited"), "application/merge-patch+json", { spec: { sails: 2 } });
  await api.delete(boats("v1", "waited"));
  expect(seen).toEqual([]);
  misbehave = undefined;
  await expect
    .poll(() => seen, { timeout: 30_000 })
    .toEqual(["ADDED waited 1", "MODIFIED waited 2", "DELETED waited 2"]);
  stop.abort();
  await watching;
});

test("managers of both versions keep their fields", async () => {
  const apply = (version: string, manager: string, spec: object) =>
    api.patch(`${boats(version, "applied")}?fieldManager=${manager}`, "application/apply-patch+yaml", {
      apiVersion: `example.com/${version}`,
      kind: "Boat",
      metadata: { name: "applied" },
      spec,
    });
  expect((await apply("v1", "old", { sails: 5 })).status).toBe(201);
  expect((await apply("v2", "new", { colour: "blue" })).body.spec).toEqual({ masts: 5, colour: "blue" });
  expect((await apply("v2", "new", { masts: 6, colour: "blue" })).body.reason).toBe("Conflict");
});

test("fields that a conversion adds have no manager", async () => {
  await api.post(boats("v1"), boat("v1", "marked", { sails: 1 }));
  let calls = 0;
  misbehave = (review) => {
    const { uid, desiredAPIVersion, objects } = review.request;
    const annotations = desiredAPIVersion.endsWith("v2") ? { conversions: String(++calls) } : {};
    const convertedObjects = objects.map((object) => {
      const form = converted(object, desiredAPIVersion);
      return { ...form, metadata: { ...object.metadata, annotations } };
    });
    return { ...answerTo(review), response: { uid, convertedObjects, result: { status: "Success" } } };
  };
  const { body } = await api.patch(
    `${boats("v2", "marked")}?fieldManager=painter`,
    "application/merge-patch+json",
    { spec: { colour: "red" } },
  );
  const [entry] = body.metadata.managedFields.filter(
    ({ manager }: { manager: string }) => manager === "painter",
  );
  expect(entry.fieldsV1).toEqual({ "f:spec": { "f:colour": {} } });
});

test("objects of a former storage version are read in the new one", async () => {
  await api.post(boats("v1"), boat("v1", "stored", { sails: 7 }));
  const path = `${definitions}/boats.example.com`;
  const definition = (await api.get(path)).body;
  for (const version of definition.spec.versions) version.storage = version.name === "v2";
  expect((await api.put(path, definition)).body.status.storedVersions).toEqual(["v1", "v2"]);
  await expect.poll(async () => (await api.get(boats("v2", "stored"))).body.spec).toEqual({ masts: 7 });
  expect((await api.get(boats("v1", "stored"))).body.spec).toEqual({ sails: 7 });
  const patched = await api.patch(boats("v2", "stored"), "application/merge-patch+json", {
    spec: { colour: "red" },
  });
  expect(patched.body.spec).toEqual({ masts: 7, colour: "red" });
  expect((await api.get(boats("v1", "stored"))).body.spec).toEqual({ sails: 7, colour: "red" });
});

test("defaults that come later are in what is read in each version", async () => {
  await api.post(boats("v1"), boat("v1", "older", { sails: 1 }));
  const path = `${definitions}/boats.example.com`;
  const definition = (await api.get(path)).body;
  for (const { schema, storage } of definition.spec.versions) {
    const { properties: fields } = schema.openAPIV3Schema.properties.spec;
    fields.flag = { type: "string", default: "white" };
    if (storage) fields.pennant = { type: "string", default: "blue" };
  }
  expect((await api.put(path, definition)).status).toBe(200);
  await expect
    .poll(async () => (await api.get(boats("v2", "older"))).body.spec)
    .toMatchObject({ masts: 1, flag: "white" });
  // What the stored version adds is there as soon as the object is.
  const later = await api.post(boats("v1"), boat("v1", "later", { sails: 1 }));
  expect(later.body.spec).toEqual({ sails: 1, flag: "white" });
  const stored = { masts: 1, flag: "white", pennant: "blue" };
  expect((await api.get(boats("v2", "later"))).body.spec).toEqual(stored);
  await api.delete(boats("v1", "later"));
  expect((await api.get(boats("v1", "older"))).body.spec).toEqual({ sails: 1, flag: "white" });
  const listed = (await api.get(`${boats("v2")}?fieldSelector=metadata.name%3Dolder`)).body.items;
  expect(listed).toMatchObject([{ spec: { flag: "white" } }]);
  await api.delete(boats("v1", "older"));
});

const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" };

test.each<[string, (review: Review) => object, string]>([
  [
    "fails",
    ({ request }) => ({
      ...review,
      response: { uid: request.uid, result: { status: "Failed", message: "no masts" } },
    }),
    "no masts",
  ],
  [
    "answers another request",
    () => ({ ...review, response: { uid: "x", result: { status: "Success" } } }),
    "expected response.uid",
  ],
  [
    "answers with another version of the review",
    (sent) => ({ ...answerTo(sent), apiVersion: "apiextensions.k8s.io/v1beta1" }),
    "failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
  ],
  [
    "does not say that it answers with a review",
    (sent) => ({ ...answerTo(sent), apiVersion: undefined, kind: undefined }),
    "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=",
  ],
  [
    "loses objects",
    ({ request }) => ({
      ...review,
      response: { uid: request.uid, convertedObjects: [], result: { status: "Success" } },
    }),
    "returned 0 objects, expected 1",
  ],
  [
    "renames objects",
    ({ request }) => ({
      ...review,
      response: {
        uid: request.uid,
        convertedObjects: request.objects.map((one) => ({
          ...converted(one, request.desiredAPIVersion),
          metadata: { name: "x" },
        })),
        result: { status: "Success" },
      },
    }),
    "returned invalid object: must have the same name: ",
  ],
])("requests for another version fail when the webhook %s", async (_what, answer, message) => {
  const name = `failing-${Math.random().toString(36).slice(2)}`;
  await api.post(boats("v2"), boat("v2", name, { masts: 1 }));
  misbehave = answer;
  const failed = await api.get(boats("v1", name));
  expect(failed).toMatchObject({ status: 500, body: { code: 500 } });
  expect(failed.body.reason).toBeUndefined();
  expect(failed.body.message).toMatch(/^conversion webhook for example\.com\/v2, Kind=Boat /);
  expect(failed.body.message).toContain(message);
  const undeleted = await api.delete(boats("v1", name));
  expect(undeleted.status).toBe(500);
  expect(undeleted.body.message).toContain(message);
  expect((await api.get(boats("v2", name))).status).toBe(200);
});

test("a server starts without its webhook, and serves what needs no conversion", async () => {
  const own = await startServerHere();
  const authority = await TestAuthority.create("webhooks");
  const peer = await startRemotePeer({ authority }, ({ body }) => ({ body: answerTo(JSON.parse(body)) }));
  let client = new ApiClient(own);
  const definition = boatDefinition({ versions: [boatVersion, v2] });
  const caBundle = Buffer.from(authority.caPem).toString("base64");
  const clientConfig = { url: `${peer.url}/convert`, caBundle };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  await client.post(definitions, { ...definition, spec: { ...definition.spec, conversion } });
  await vi.waitFor(async () => expect((await client.get(boats("v1"))).status).toBe(200), 60_000);
  expect(await client.post(boats("v2"), boat("v2", "kept", { masts: 2 }))).toMatchObject({ status: 201 });
  await client.close();
  await own.stop();
  await peer.close();

  const again = await startServerHere({ dataDirectory: own.dataDirectory });
  try {
    client = new ApiClient(again);
    await vi.waitFor(
      async () => expect((await client.get(boats("v1", "kept"))).body.spec).toEqual({ sails: 2 }),
      30_000,
    );
    expect((await client.get("/readyz")).status).toBe(200);
    expect((await client.get(boats("v1"))).body.items).toMatchObject([{ metadata: { name: "kept" } }]);
    expect(await client.post(boats("v1"), boat("v1", "new", { sails: 1 }))).toMatchObject({ status: 201 });
    const failed = await client.get(boats("v2", "kept"));
    expect(failed.status).toBe(500);
    expect(failed.body.message).toContain("conversion webhook for example.com/v1, Kind=Boat failed");
    expect((await client.get(boats("v2"))).status).toBe(500);
    await client.delete(boats("v1", "new"));
    expect((await client.get(boats("v1", "new"))).status).toBe(404);
  } finally {
    await client.close();
    await again.stop();
    await own.dispose();
  }
});

test.each(["1.27", "1.28", "1.36"])("at %s calls are counted as the level does", async (level) => {
  const other = await startServerHere({ args: [`--api-level=${level}`] });
  const client = new ApiClient(other);
  try {
    await define(client);
    let made = 0;
    // What was converted once is kept.
    const read = async (answer: typeof misbehave): Promise<number> => {
      const name = `boat-${made++}`;
      misbehave = undefined;
      expect((await client.post(boats("v1"), boat("v1", name, { sails: 2 }))).status).toBe(201);
      misbehave = answer;
      return (await client.get(boats("v2", name))).status;
    };
    expect(await read(undefined)).toBe(200);
    expect(await read(() => ({ kind: "Other" }))).toBe(500);
    const responded = (response: object) => (review: Review) => ({
      ...answerTo(review),
      response: { uid: review.request.uid, ...response },
    });
    expect(await read(responded({ result: { status: "Failure" } }))).toBe(500);
    expect(await read(responded({ result: { status: "Success" }, convertedObjects: [] }))).toBe(500);
    const renamed = ({ request }: Review) => ({
      ...converted(request.objects[0] as Boat, request.desiredAPIVersion),
      metadata: { name: "other" },
    });
    expect(
      await read((review) =>
        responded({ result: { status: "Success" }, convertedObjects: [renamed(review)] })(review),
      ),
    ).toBe(500);
    misbehave = undefined;
    const refused = await client.post(boats("v2"), boat("v2", "bad", { masts: "x" }));
    expect(refused.body.details.causes[0].reason).toBe("FieldValueTypeInvalid");
    const { text } = await client.get("/metrics");
    const isNew = level !== "1.27";
    const former = "apiserver_crd_webhook_conversion_duration_seconds_count{";
    const name = "apiserver_crd_conversion_webhook_duration_seconds_count{";
    expect([text.includes(former), text.includes(name)]).toEqual([!isNew, isNew]);
    const versions = 'crd_name="boats.example.com",from_version="v1",to_version="v2"';
    const durations = isNew ? name : former;
    expect(text).toContain(`\n${durations}${versions},succeeded="true"} 1\n`);
    expect(text).toContain(`\n${durations}${versions},succeeded="false"} 4\n`);
    for (const values of [
      'result="success",failure_type=""',
      'result="failure",failure_type="conversion_webhook_call_failure"',
      'result="failure",failure_type="conversion_webhook_malformed_response_failure"',
      'result="failure",failure_type="conversion_webhook_partial_response_failure"',
      'result="failure",failure_type="conversion_webhook_invalid_converted_object_failure"',
    ]) {
      expect(text.includes(`apiserver_conversion_webhook_request_total{${values}} `)).toBe(isNew);
      expect(text.includes(`apiserver_conversion_webhook_duration_seconds_count{${values}} `)).toBe(isNew);
    }
  } finally {
    await client.close();
    await other.dispose();
  }
});

test.each(["--watch-cache=true", "--watch-cache=false"])(
  "selectors of a version go by the fields that it declares, of converted objects (%s)",
  async (option) => {
    const other = await startServerHere({ args: ["--api-level=1.31", option] });
    const client = new ApiClient(other);
    const ending = new AbortController();
    try {
      const selectable = { ...v2, selectableFields: [{ jsonPath: ".spec.masts" }] };
      await define(client, selectable);
      const selected = (version: string, selector: string, rest = "") =>
        `${boats(version)}?fieldSelector=${encodeURIComponent(selector)}${rest}`;
      const names = async (path: string) => {
        const { body } = await client.get(path);
        return body.items.map(({ metadata }: Boat & { metadata: { name: string } }) => metadata.name);
      };
      const { body: start } = await client.get(boats("v2"));
      const events: string[] = [];
      const since = `&watch=1&resourceVersion=${start.metadata.resourceVersion}`;
      const watching = (async () => {
        for await (const { type, object } of client.watch(
          selected("v2", "spec.masts=3", since),
          ending.signal,
        )) {
          const { name, resourceVersion } = object.metadata;
          events.push(`${type} ${name} ${object.apiVersion} ${object.spec.masts} ${resourceVersion}`);
        }
      })().catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      });
      const versions: string[] = [];
      const change = async (
        answer: Promise<{ readonly body: { metadata: { resourceVersion: string } } }>,
      ) => {
        versions.push((await answer).body.metadata.resourceVersion);
      };
      const merge = (name: string, spec: object) =>
        client.patch(boats("v1", name), "application/merge-patch+json", { spec });
      await change(client.post(boats("v1"), boat("v1", "a", { sails: 3 })));
      await change(client.post(boats("v2"), boat("v2", "b", { masts: 4 })));
      await change(client.post(boats("v2"), boat("v2", "c", { masts: 3 })));
      expect(await names(selected("v2", "spec.masts=3"))).toEqual(["a", "c"]);
      expect(await names(selected("v2", "spec.masts!=3"))).toEqual(["b"]);
      expect(await names(selected("v2", "spec.masts=3,metadata.name=c"))).toEqual(["c"]);
      expect(await names(selected("v1", "spec.colour=red"))).toEqual([]);
      expect((await client.get(selected("v2", "spec.colour=red"))).body.message).toBe(
        "field label not supported: spec.colour",
      );
      const chunk = (await client.get(selected("v2", "spec.masts=3", "&limit=2"))).body;
      expect(chunk.items).toHaveLength(1);
      expect(chunk.metadata).toMatchObject({ continue: expect.any(String) });
      expect(chunk.metadata).not.toHaveProperty("remainingItemCount");
      await change(merge("a", { sails: 4 }));
      await change(merge("b", { sails: 3 }));
      await change(merge("b", { colour: "red" }));
      const deleted = await client.ask("DELETE", selected("v2", "spec.masts=3"));
      expect(deleted.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
        ["b", "c"],
      );
      expect(await names(boats("v2"))).toEqual(["a"]);
      const [a, , c, left, entered, stayed] = versions;
      await expect
        .poll(() => events.slice(0, 5))
        .toEqual([
          `ADDED a example.com/v2 3 ${a}`,
          `ADDED c example.com/v2 3 ${c}`,
          `DELETED a example.com/v2 3 ${left}`,
          `ADDED b example.com/v2 3 ${entered}`,
          `MODIFIED b example.com/v2 3 ${stayed}`,
        ]);
      await expect
        .poll(() =>
          events
            .slice(5)
            .map((event) => event.split(" ", 2).join(" "))
            .sort(),
        )
        .toEqual(["DELETED b", "DELETED c"]);
      ending.abort();
      await watching;
    } finally {
      ending.abort();
      await client.close();
      await other.dispose();
    }
  },
);

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCbor } from "../../src/apimachinery/cbor/parse-cbor.js";
import { cborOfJson } from "../../src/apimachinery/cbor/print-cbor.js";
import type { JsonValue } from "../../src/apimachinery/json/json-value.js";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import {
  type InProcessServer,
  type ServerHere,
  startInProcess,
  startServerHere,
} from "../support/in-process-server.js";

const cbor = "application/cbor";
const maps = "/api/v1/namespaces/default/configmaps";
const on = { featureGates: new Map([["CBORServingAndStorage", true] as const]) };
const acceptsCbor = { headers: { accept: cbor } };

// biome-ignore lint/suspicious/noExplicitAny: what comes back is looked at by tests, which know what they asked for
type Read = any;

function read({ bytes, headers }: ApiAnswer, contentType = cbor): Read {
  expect(headers["content-type"]).toBe(contentType);
  expect(bytes.subarray(0, 3).toString("hex")).toBe("d9d9f7");
  return parseCbor(bytes);
}

function sent(value: JsonValue, contentType = cbor) {
  return { raw: cborOfJson(Buffer.from(JSON.stringify(value))), contentType };
}

describe.each(["1.31", "1.32"] as const)("at %s, without the gate", (apiLevel) => {
  let own: InProcessServer;
  beforeAll(async () => {
    own = await startInProcess({ apiLevel });
  });
  afterAll(() => own.dispose());

  test("CBOR is neither read nor written", async () => {
    const { api } = own;
    const created = await api.ask("POST", maps, sent({ metadata: { name: "a" } }));
    expect(created.status).toBe(415);
    expect(created.body.message).not.toContain("cbor");
    const listed = await api.ask("GET", maps, acceptsCbor);
    expect(listed.status).toBe(406);
    expect(listed.body.message).not.toContain("cbor");
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const applied = await api.ask(
      "PATCH",
      `${maps}/a?fieldManager=a`,
      sent(config, "application/apply-patch+cbor"),
    );
    expect(applied.status).toBe(415);
    const { body } = await api.get("/openapi/v2");
    expect(JSON.stringify(body.paths)).not.toContain("cbor");
  });
});

/** The hexadecimal of `hello` as CBOR's bytes that are base64 in JSON. */
const taggedHello = "d64568656c6c6f";

describe.each(["1.32", "1.36"] as const)("at %s, with the gate", (apiLevel) => {
  let own: InProcessServer;
  let api: ApiClient;
  beforeAll(async () => {
    own = await startInProcess({ apiLevel, ...on });
    ({ api } = own);
  });
  afterAll(() => own.dispose());

  test("objects are read and written", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "é<&" } };
    const created = await api.ask("POST", maps, { ...sent(object), ...acceptsCbor });
    expect(created.status).toBe(201);
    const { metadata } = read(created);
    expect((await api.get(`${maps}/a`)).body).toMatchObject({
      data: { k: "é<&" },
      metadata: { uid: metadata.uid },
    });
    const changed = { ...object, metadata, data: { k: "2" } };
    expect((await api.ask("PUT", `${maps}/a`, sent(changed))).body.data).toEqual({ k: "2" });
    expect(read(await api.ask("GET", `${maps}/a`, acceptsCbor))).toEqual((await api.get(`${maps}/a`)).body);
  });

  test("bytes that will be base64 are read", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    // {"metadata":{"name":"s"},"data":{"k":22(h'0001ff')}}
    const raw = Buffer.from(
      "a2486d65746164617461a1446e616d65417344646174 61a1416bd6430001ff".replace(" ", ""),
      "hex",
    );
    const { body, status } = await api.ask("POST", secrets, { raw, contentType: cbor });
    expect([status, body.data]).toEqual([201, { k: "AAH/" }]);
    expect(read(await api.ask("GET", `${secrets}/s`, acceptsCbor)).data).toEqual({ k: "AAH/" });
  });

  test("bytes are written as such, in objects, lists, tables and events", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    const secret = { metadata: { name: "bytes" }, data: { a: Buffer.from("hello").toString("base64") } };
    expect((await api.post(secrets, secret)).status).toBe(201);
    const table = `${cbor};as=Table;g=meta.k8s.io;v=v1`;
    const one = "fieldSelector=metadata.name=bytes";
    for (const [path, accept] of [
      [`${secrets}/bytes`, cbor],
      [`${secrets}?${one}`, cbor],
      [`${secrets}?${one}&includeObject=Object`, table],
      [`${secrets}?${one}&watch=1&timeoutSeconds=1`, cbor],
      [`${secrets}?${one}&watch=1&timeoutSeconds=1&includeObject=Object`, table],
    ] as const) {
      const { bytes } = await api.ask("GET", path, { headers: { accept } });
      expect([path, bytes.toString("hex").includes(taggedHello)]).toEqual([path, true]);
      expect(bytes.includes(secret.data.a)).toBe(false);
    }
    const whole = parseCbor((await api.ask("GET", `${secrets}/bytes`, acceptsCbor)).bytes) as Read;
    expect(whole).toEqual((await api.get(`${secrets}/bytes`)).body);
  });

  test("lists, tables and metadata are written", async () => {
    // Their tables show when they were made, not how long ago; and the revision is of the same moment for each.
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    const revision = (await api.get(roles)).body.metadata.resourceVersion;
    const then = `?resourceVersion=${revision}&resourceVersionMatch=Exact`;
    const forms = ["", ";as=Table;g=meta.k8s.io;v=v1", ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"];
    const empty = "/api/v1/namespaces/default/pods";
    for (const path of [roles + then, empty + then]) {
      for (const form of forms) {
        const json = await api.ask("GET", path, { headers: { accept: `application/json${form}` } });
        expect(json.status).toBe(200);
        const answer = await api.ask("GET", path, { headers: { accept: `${cbor}${form}` } });
        expect(read(answer)).toEqual(json.body);
      }
    }
  });

  test("errors are written, and refusals name what is there", async () => {
    const missing = await api.ask("GET", `${maps}/missing`, acceptsCbor);
    expect([missing.status, read(missing).reason]).toEqual([404, "NotFound"]);
    const refused = await api.ask("GET", maps, { headers: { accept: "text/plain" } });
    expect(refused.status).toBe(406);
    expect(refused.body.message).toContain(cbor);
    expect(refused.body.message).toContain("application/cbor-seq");
    const kept = await api.ask("DELETE", maps, { headers: { accept: "text/plain" } });
    expect([kept.status, kept.body.message.endsWith(cbor)]).toEqual([406, true]);
    const unread = await api.ask("POST", maps, { raw: "x", contentType: "text/plain" });
    expect(unread.body.message).toContain(cbor);
  });

  test.each([
    ["nothing", "", "unexpected EOF"],
    ["the beginning of a map", "a1", "unexpected EOF"],
    ["a member twice", "a2416101416102", "found duplicate map key"],
    ["a length alone", "9bffffffffffffffff", "unexpected EOF"],
    ["deep nesting", "81".repeat(5000), "exceeded max nested level"],
  ])("%s is the client's mistake", async (_name, hex, why) => {
    const raw = Buffer.from(hex, "hex");
    const { status, text } = await api.ask("POST", maps, { raw, contentType: cbor });
    expect(text).toContain(why);
    expect(status).toBe(400);
  });

  test("unknown fields are complaints, as of JSON", async () => {
    const object = { metadata: { name: "strict" }, odd: 1 };
    const { status, body } = await api.ask("POST", `${maps}?fieldValidation=Strict`, sent(object));
    expect([status, body.message]).toEqual([400, expect.stringContaining('unknown field "odd"')]);
  });

  test("configurations are applied", async () => {
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" }, data: { a: "1" } };
    const type = "application/apply-patch+cbor";
    const path = `${maps}/applied?fieldManager=m`;
    const applied = await api.ask("PATCH", path, { ...sent(config, type), ...acceptsCbor });
    expect(applied.status).toBe(201);
    expect(read(applied).metadata.managedFields[0]).toMatchObject({ manager: "m", operation: "Apply" });
    const less = await api.ask("PATCH", path, sent({ ...config, data: { b: "2" } }, type));
    expect(less.body.data).toEqual({ b: "2" });
    const wrong = await api.ask("PATCH", path, { raw: Buffer.from([0xa1]), contentType: type });
    expect([wrong.status, wrong.body.message]).toEqual([400, "error decoding CBOR: unexpected EOF"]);
  });

  test("watches send one document after the other", async () => {
    const { body: list } = await api.get(maps);
    const from = list.metadata.resourceVersion;
    const text = async (accept: string): Promise<[string | undefined, Buffer]> => {
      const { headers, bytes } = await api.ask(
        "GET",
        `${maps}?watch=1&timeoutSeconds=1&resourceVersion=${from}`,
        { headers: { accept } },
      );
      return [String(headers["content-type"]), bytes];
    };
    await api.post(maps, { metadata: { name: "watched" } });
    await api.delete(`${maps}/watched`);
    const events = (bytes: Buffer): Read[] =>
      bytes
        .toString("latin1")
        .split(/(?=\u00d9\u00d9\u00f7\u00a2Dtype)/)
        .map((part) => parseCbor(Buffer.from(part, "latin1")));
    const [, json] = await text("application/json");
    const lines = json
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(["ADDED", "DELETED"]);
    const [type, sequence] = await text(cbor);
    expect(type).toBe("application/cbor-seq");
    expect(events(sequence)).toEqual(lines);
    const [, partial] = await text(`${cbor};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`);
    expect(events(partial)[0].object.kind).toBe("PartialObjectMetadata");
    const [, table] = await text(`${cbor};as=Table;g=meta.k8s.io;v=v1`);
    expect(events(table)[0].object.rows).toHaveLength(1);
  });

  test("custom resources have it, too", async () => {
    await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
    const boats = "/apis/example.com/v1/namespaces/default/boats";
    await expect.poll(async () => (await api.get(boats)).status).toBe(200);
    const created = await api.ask("POST", boats, {
      ...sent({ ...boat("sloop"), spec: { colour: "red" } }),
      ...acceptsCbor,
    });
    expect([created.status, read(created).spec]).toEqual([201, { sails: 1, colour: "red" }]);
    expect(read(await api.ask("GET", boats, acceptsCbor))).toEqual((await api.get(boats)).body);
    const twice = Buffer.from("a2416101416102", "hex");
    expect((await api.ask("POST", boats, { raw: twice, contentType: cbor })).status).toBe(400);
  });

  test("discovery and its documents tell", async () => {
    for (const path of ["/api/v1", "/apis/apps/v1"]) {
      expect(read(await api.ask("GET", path, acceptsCbor))).toEqual((await api.get(path)).body);
    }
    for (const path of ["/api", "/apis", "/apis/apps"]) {
      expect((await api.ask("GET", path, acceptsCbor)).status).toBe(406);
      const { headers } = await api.ask("GET", path, {
        headers: { accept: `${cbor}, application/json;q=0.1` },
      });
      expect(headers["content-type"]).toBe("application/json");
    }
    const aggregated = "as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2";
    const accepting = async (accept: string) =>
      (await api.ask("GET", "/apis", { headers: { accept } })).headers;
    expect((await api.ask("GET", "/apis", { headers: { accept: `${cbor};${aggregated}` } })).status).toBe(
      406,
    );
    const both = `${cbor};${aggregated}, ${cbor}`;
    expect((await api.ask("GET", "/apis", { headers: { accept: both } })).status).toBe(406);
    for (const first of ["", `${cbor},`, `${cbor};${aggregated},`]) {
      const type = (await accepting(`${first}application/json;${aggregated}`))["content-type"];
      expect([first, type]).toEqual([
        first,
        `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`,
      ]);
    }
    const pods = (await api.get("/openapi/v2")).body.paths["/api/v1/namespaces/{namespace}/pods/{name}"];
    expect(pods.get.produces).toContain(cbor);
    expect(pods.patch.consumes).toContain("application/apply-patch+cbor");
  });
});

describe("large objects", () => {
  let server: ServerHere;
  let api: ApiClient;
  beforeAll(async () => {
    server = await startServerHere({
      args: ["--api-level=1.36", "--feature-gates=CBORServingAndStorage=true"],
    });
    api = new ApiClient(server);
  });
  afterAll(async () => {
    await api.close();
    await server.dispose();
  });

  test("are read, listed and watched as small ones are", async () => {
    // Its managed fields are large, too.
    const data = Object.fromEntries(
      Array.from({ length: 9000 }, (_, index) => [`key-${"k".repeat(30)}-${index}`, "x".repeat(80)]),
    );
    const created = await api.ask("POST", maps, {
      ...sent({ metadata: { name: "large" }, data }),
      ...acceptsCbor,
    });
    expect(created.status).toBe(201);
    expect(read(created).data).toEqual(data);
    expect(read(await api.ask("GET", `${maps}/large`, acceptsCbor)).data).toEqual(data);
    const [item] = read(await api.ask("GET", `${maps}?fieldSelector=metadata.name=large`, acceptsCbor)).items;
    expect(item.data).toEqual(data);
    const selected = `${maps}?fieldSelector=metadata.name=large`;
    for (const [form, query] of [
      ["PartialObjectMetadataList", ""],
      ["Table", ""],
      ["Table", "&includeObject=Object"],
      ["Table", "&includeObject=None"],
    ]) {
      const asked = (type: string) =>
        api.ask("GET", `${selected}${query}`, {
          headers: { accept: `${type};as=${form};g=meta.k8s.io;v=v1` },
        });
      const inCbor = parseCbor((await asked(cbor)).bytes) as Read;
      const inJson = (await asked("application/json")).body;
      // The server itself may write something meanwhile.
      inCbor.metadata.resourceVersion = inJson.metadata.resourceVersion;
      if (form === "Table") inCbor.rows[0].cells[2] = inJson.rows[0].cells[2]; // its age
      expect(inCbor).toEqual(inJson);
    }
    const watch = `${selected}&watch=1&timeoutSeconds=1`;
    const watched: Buffer[] = [];
    // A busy machine may need more than the second of one watch.
    await expect
      .poll(
        async () => watched.push((await api.ask("GET", watch, acceptsCbor)).bytes) && watched.at(-1)?.length,
      )
      .toBeGreaterThan(0);
    expect((parseCbor(watched.at(-1) ?? Buffer.alloc(0)) as Read).object.data).toEqual(data);
  });
});

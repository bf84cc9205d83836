import { afterEach, beforeAll, expect, test } from "vitest";
import { type PeerAnswer, type PeerRequest, startRemotePeer } from "../../test/support/remote-peer.js";
import { TestAuthority } from "../../test/support/test-authority.js";
import { directDial } from "../remote/direct-dial.js";
import { ExtensionService, type ExtensionServiceParts } from "./extension-service.js";

let authority: TestAuthority;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create("test-ca");
});
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

type Answers = Record<string, PeerAnswer>;

const well = { "/apis/wardle.example.com/v1": { body: { resources: [] } } };
const v2 = "/openapi/v2";
const v3 = "/openapi/v3/apis/wardle.example.com/v1";

/** A service whose server answers with `answers`, by path, and 404 to everything else. */
async function service(answers: Answers): Promise<ExtensionService> {
  return (await serviceAndPeer(answers)).server;
}

async function serviceAndPeer(answers: Answers, parts: Partial<ExtensionServiceParts> = {}) {
  const names = ["flunders.default.svc"];
  const peer = await startRemotePeer(
    { authority, names },
    ({ path }: PeerRequest) => answers[path] ?? { status: 404 },
  );
  opened.push(peer);
  const made = new ExtensionService({
    spec: {
      group: "wardle.example.com",
      version: "v1",
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      service: { namespace: "default", name: "flunders" },
      caBundle: Buffer.from(authority.caPem).toString("base64"),
    },
    certificate: undefined,
    user: "system:aggregator",
    toEndpoints: false,
    dial: directDial,
    random: () => 0,
    discovery: { group: "apidiscovery.k8s.io", versions: [] },
    disconnectsAfterFailure: false,
    ...parts,
  });
  opened.push(made);
  const addresses = { service: { host: "127.0.0.1", port: peer.port }, endpoints: [] };
  const check = () => made.check({ kind: "found", ...addresses });
  expect(await check()).toMatchObject({ status: "True" });
  return { server: made, peer, check };
}

test("documents are read once for each of their forms", async () => {
  const answers: Answers = {
    ...well,
    [v2]: { body: { swagger: "2.0" } },
    [v3]: { body: { openapi: "3.0.0" } },
  };
  const server = await service(answers);
  expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
  expect(server.swagger).toEqual({ swagger: "2.0" });
  expect(Buffer.from(server.openApi3 ?? []).toString()).toBe('{"openapi":"3.0.0"}');
  expect(await server.readDocuments()).toEqual({ changed: false, failed: false });
  answers[v2] = { body: { swagger: "2.0", paths: {} } };
  expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
  expect(server.swagger).toEqual({ swagger: "2.0", paths: {} });
});

test.each([
  ["refuses them", { status: 403 }],
  ["fails", { status: 500 }],
  ["asks for patience", { status: 429 }],
])(
  "a server that %s has not reported its documents; those it reported before stay",
  async (_what, answer) => {
    const answers: Answers = { ...well, [v2]: answer };
    const server = await service(answers);
    expect(await server.readDocuments()).toEqual({ changed: false, failed: true });
    answers[v2] = { body: { swagger: "2.0" } };
    expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
    answers[v2] = answer;
    expect(await server.readDocuments()).toEqual({ changed: false, failed: true });
    expect(server.swagger).toEqual({ swagger: "2.0" });
  },
);

test("a server may have no documents, from the start or later", async () => {
  const answers: Answers = { ...well };
  const server = await service(answers);
  expect(await server.readDocuments()).toEqual({ changed: false, failed: false });
  answers[v2] = { body: { swagger: "2.0" } };
  await server.readDocuments();
  delete answers[v2];
  expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
  expect(server.swagger).toBeUndefined();
});

const operations = (count: number, shared: string): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/apis/wardle.example.com/v1/${at}`,
      { get: { responses: { 200: { $ref: `#/responses/${shared}` } } } },
    ]),
  );

test.each<[string, object, RegExp]>([
  [
    "many references to a large response",
    { paths: operations(20_000, "large"), responses: { large: { description: "x".repeat(100_000) } } },
    /^\/openapi\/v2: its operations refer to more than 16777216 characters/,
  ],
  [
    "many references in one path",
    {
      paths: { "/a": { get: { parameters: Array(2000).fill({ $ref: "#/parameters/large" }) } } },
      parameters: { large: { description: "x".repeat(1000) } },
    },
    /path \/a refers to more than 1048576 characters/,
  ],
  [
    "a large definition",
    { definitions: { Large: { enum: Array.from({ length: 30_000 }, () => 1) } } },
    /definitions Large has more than 25000 fields and items/,
  ],
  ["many values", { x: Array.from({ length: 500_000 }, () => 1) }, /more than 400000 fields and items/],
])("a document of %s is refused once, and the next one read", async (_what, document, reason) => {
  const answers: Answers = { ...well, [v2]: { body: { swagger: "2.0" } } };
  const server = await service(answers);
  await server.readDocuments();
  answers[v2] = { body: document };
  const read = await server.readDocuments();
  expect(read).toMatchObject({ changed: true, failed: false, refused: [expect.stringMatching(reason)] });
  expect(server.swagger).toBeUndefined();
  expect(await server.readDocuments()).toEqual({ changed: false, failed: false });
  answers[v2] = { body: { swagger: "2.0", paths: operations(200, "small"), responses: { small: {} } } };
  expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
  expect(server.swagger).toMatchObject({ swagger: "2.0" });
});

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

function aggregatedAnswer(resource: string, etag = `"${resource}"`): PeerAnswer {
  const version = (name: string, resources: object[]) => ({ version: name, resources, freshness: "Current" });
  return {
    headers: { "Content-Type": aggregatedType, ETag: etag },
    body: {
      kind: "APIGroupDiscoveryList",
      items: [
        { metadata: { name: "other.example.com" }, versions: [version("v1", [{ resource: "others" }])] },
        {
          metadata: { name: "wardle.example.com" },
          versions: [
            version("v2", [{ resource: "newer" }]),
            version("v1", [
              {
                resource,
                scope: "Namespaced",
                singularResource: "it",
                verbs: ["get", 1],
                shortNames: ["i"],
                unknown: true,
                subresources: [{ subresource: "status", verbs: ["patch"] }],
              },
            ]),
          ],
        },
      ],
    },
  };
}

const nobody = { group: "", version: "", kind: "" };
const shown = (resource: string): object => ({
  resource,
  responseKind: nobody,
  scope: "Namespaced",
  singularResource: "it",
  verbs: ["get"],
  shortNames: ["i"],
  subresources: [{ subresource: "status", responseKind: nobody, verbs: ["patch"] }],
});

test("a server reports its resources in one document, if it has one", async () => {
  const answers: Answers = { ...well, "/apis": aggregatedAnswer("first") };
  const discovery = { group: "apidiscovery.k8s.io", versions: ["v2", "v2beta1"] } as const;
  const { server, peer } = await serviceAndPeer(answers, { discovery });
  expect(server.aggregated).toBeUndefined();
  expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
  expect(server.aggregated).toEqual([shown("first")]);
  const asked = peer.requests.filter(({ path }) => path === "/apis");
  expect(asked.map(({ headers }) => headers.accept)).toEqual([
    `${aggregatedType.replace("v2beta1", "v2")},${aggregatedType}`,
  ]);

  answers["/apis"] = { status: 304 };
  expect(await server.readDocuments()).toEqual({ changed: false, failed: false });
  expect(peer.requests.findLast(({ path }) => path === "/apis")?.headers["if-none-match"]).toBe('"first"');
  answers["/apis"] = { status: 503 };
  expect(await server.readDocuments()).toEqual({ changed: false, failed: true });
  expect(server.aggregated).toEqual([shown("first")]);
  answers["/apis"] = aggregatedAnswer("second");
  expect(await server.readDocuments()).toEqual({ changed: true, failed: false });
  expect(server.aggregated).toEqual([shown("second")]);
});

test.each<[string, PeerAnswer]>([
  ["lists its groups", { body: { kind: "APIGroupList", groups: [] } }],
  ["finds nothing acceptable", { status: 406 }],
  [
    "has another version of it",
    { ...aggregatedAnswer("x"), headers: { "Content-Type": "application/json;v=v3" } },
  ],
])("a server that %s reports its resources one version at a time", async (_what, answer) => {
  const answers: Answers = { ...well, "/apis": answer };
  const discovery = { group: "apidiscovery.k8s.io", versions: ["v2beta1"] } as const;
  const { server } = await serviceAndPeer(answers, { discovery });
  expect(await server.readDocuments()).toEqual({ changed: false, failed: false });
  expect(server.aggregated).toBeUndefined();
});

test.each([
  [true, 2],
  [false, 1],
])(
  "after a check that failed the next one connects again: %s",
  async (disconnectsAfterFailure, connections) => {
    const answers: Answers = { ...well };
    const { check, peer } = await serviceAndPeer(answers, { disconnectsAfterFailure });
    expect(await check()).toMatchObject({ status: "True" });
    expect(peer.connections()).toBe(1);
    answers["/apis/wardle.example.com/v1"] = { status: 500 };
    expect(await check()).toMatchObject({ status: "False" });
    Object.assign(answers, well);
    expect(await check()).toMatchObject({ status: "True" });
    expect(peer.connections()).toBe(connections);
  },
);

import { expect, test } from "vitest";
import type { AuditEvent, AuditedObject } from "./audit-event.js";
import { type AuditVersion, EventPrinter } from "./event-printer.js";
import { legacyLine } from "./legacy-line.js";
import { concatPieces } from "./text-pieces.js";

const user = { name: "jane", uid: "u", groups: ["a", "b"], extra: { scopes: ["x"] } };
const event: AuditEvent = {
  level: "RequestResponse",
  auditId: "id",
  stage: "ResponseComplete",
  requestUri: "/apis/apps/v1/namespaces/ns/deployments/web/scale?dryRun=All",
  verb: "update",
  user,
  impersonatedUser: { name: "joe", uid: "", groups: ["c"], extra: {} },
  sourceAddresses: ["1.2.3.4", "::1"],
  userAgent: 'agent "7"',
  objectRef: {
    resource: "deployments",
    namespace: "ns",
    name: "web",
    uid: "",
    apiGroup: "apps",
    apiVersion: "v1",
    resourceVersion: "7",
    subresource: "scale",
  },
  responseStatus: { code: 200 },
  requestObject: [Buffer.from('{"a":'), Buffer.from("1}")],
  responseObject: [Buffer.from('{"b":2}')],
  receivedAt: new Date("2026-01-02T03:04:05.678Z"),
  stageAt: new Date("2026-01-02T03:04:06.000Z"),
  annotations: new Map([
    ["z", "2"],
    ["a", "1"],
  ]),
};

function text(version: AuditVersion, given: AuditEvent = event, apiVersion?: string): string {
  const { pieces, byteLength } = new EventPrinter(version, apiVersion).print(given);
  const bytes = concatPieces(pieces);
  expect(bytes.length).toBe(byteLength);
  return bytes.toString("utf8");
}

test("v1, in the order of Kubernetes", () => {
  expect(text("v1", event, "audit.orch.io/v1")).toBe(
    '{"kind":"Event","apiVersion":"audit.orch.io/v1","level":"RequestResponse","auditID":"id","stage":"ResponseComplete",' +
      '"requestURI":"/apis/apps/v1/namespaces/ns/deployments/web/scale?dryRun=All","verb":"update",' +
      '"user":{"username":"jane","uid":"u","groups":["a","b"],"extra":{"scopes":["x"]}},' +
      '"impersonatedUser":{"username":"joe","groups":["c"]},"sourceIPs":["1.2.3.4","::1"],"userAgent":"agent \\"7\\"",' +
      '"objectRef":{"resource":"deployments","namespace":"ns","name":"web","apiGroup":"apps","apiVersion":"v1","resourceVersion":"7","subresource":"scale"},' +
      '"responseStatus":{"metadata":{},"code":200},"requestObject":{"a":1},"responseObject":{"b":2},' +
      '"requestReceivedTimestamp":"2026-01-02T03:04:05.678000Z","stageTimestamp":"2026-01-02T03:04:06.000000Z",' +
      '"annotations":{"a":"1","z":"2"}}',
  );
});

test("what is not known is left out; an event of a list has no type", () => {
  const bare: AuditEvent = {
    ...event,
    user: undefined,
    impersonatedUser: undefined,
    sourceAddresses: [],
    userAgent: "",
    objectRef: undefined,
    responseStatus: undefined,
    requestObject: undefined,
    responseObject: undefined,
    annotations: new Map(),
  };
  expect(Object.keys(JSON.parse(text("v1", bare)))).toEqual([
    "level",
    "auditID",
    "stage",
    "requestURI",
    "verb",
    "user",
    "requestReceivedTimestamp",
    "stageTimestamp",
  ]);
});

test("the older versions have their deprecated members", () => {
  expect(JSON.parse(text("v1beta1"))).toMatchObject({
    metadata: { creationTimestamp: "2026-01-02T03:04:06Z" },
    timestamp: "2026-01-02T03:04:05Z",
    objectRef: { apiGroup: "apps", apiVersion: "v1" },
  });
  const { objectRef } = JSON.parse(text("v1alpha1"));
  expect(objectRef).toMatchObject({ apiVersion: "apps/v1" });
  expect(objectRef).not.toHaveProperty("apiGroup");
});

test("a line of the legacy format", () => {
  expect(legacyLine(event)).toBe(
    '2026-01-02T03:04:05.678Z AUDIT: id="id" stage="ResponseComplete" ip="1.2.3.4" method="update" user="jane" ' +
      'groups="\\"a\\",\\"b\\"" as="joe" asgroups="\\"c\\"" user-agent="agent \\"7\\"" namespace="ns" ' +
      'uri="/apis/apps/v1/namespaces/ns/deployments/web/scale?dryRun=All" response="200"',
  );
  const early = {
    ...event,
    user: undefined,
    impersonatedUser: undefined,
    responseStatus: undefined,
    objectRef: undefined,
  };
  expect(legacyLine({ ...early, sourceAddresses: [], userAgent: "a\nb" })).toContain(
    'ip="<unknown>" method="update" user="<none>" groups="<none>" as="<self>" asgroups="<lookup>" user-agent="a\\nb" namespace="<none>" ',
  );
});

test("what is remembered of one event is not said of another", () => {
  const printer = new EventPrinter("v1");
  const print = (changes: Partial<AuditEvent>): AuditEvent =>
    JSON.parse(concatPieces(printer.print({ ...event, ...changes }).pieces).toString("utf8"));
  const other = { ...user, name: "jack" };
  expect(print({})).toMatchObject({
    user: { username: "jane" },
    stageTimestamp: "2026-01-02T03:04:06.000000Z",
  });
  expect(
    print({
      user: other,
      userAgent: "é",
      sourceAddresses: ["::2"],
      stageAt: new Date(0),
      annotations: new Map([["é", "ü"]]),
    }),
  ).toMatchObject({
    user: { username: "jack" },
    userAgent: "é",
    sourceIPs: ["::2"],
    requestReceivedTimestamp: "2026-01-02T03:04:05.678000Z",
    stageTimestamp: "1970-01-01T00:00:00.000000Z",
    annotations: { é: "ü" },
  });
  expect(print({ objectRef: { ...(event.objectRef as AuditedObject), name: "new" } })).toMatchObject({
    user: { username: "jane" },
    userAgent: 'agent "7"',
    sourceIPs: ["1.2.3.4", "::1"],
    objectRef: { name: "new" },
    annotations: { a: "1", z: "2" },
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { UserInfo } from "../apimachinery/requests/request-info.js";
import type { AuditEvent, AuditedObject } from "./audit-event.js";
import { type AuditVersion, EventPrinter } from "./event-printer.js";
import type { EventText } from "./event-queue.js";
import { legacyLine } from "./legacy-line.js";

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
  receivedAt: Date.parse("2026-01-02T03:04:05.678Z"),
  stageAt: Date.parse("2026-01-02T03:04:06.000Z"),
  annotations: new Map([
    ["z", "2"],
    ["a", "1"],
  ]),
};

function whole(printed: EventText): string {
  return typeof printed === "string"
    ? printed
    : printed
        .map((piece) => (typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8")))
        .join("");
}

function text(version: AuditVersion, given: AuditEvent = event, apiVersion?: string): string {
  return whole(new EventPrinter(version, apiVersion).print(given));
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

test("what is cached of one event does not appear in another", () => {
  const printer = new EventPrinter("v1");
  const print = (changes: Partial<AuditEvent>): AuditEvent =>
    JSON.parse(whole(printer.print({ ...event, ...changes })));
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
      stageAt: 0,
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

/** The same event, built as an object and printed. */
function plainly(version: AuditVersion, given: AuditEvent, apiVersion: string): string {
  const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;
  const second = (ms: number): string => `${new Date(ms).toISOString().slice(0, -5)}Z`;
  const known = (value: string): string | undefined => (value === "" ? undefined : value);
  const shown = ({ name, uid, groups, extra }: UserInfo): object => ({
    username: known(name),
    uid: known(uid),
    groups: groups.length === 0 ? undefined : groups,
    extra: Object.keys(extra).length === 0 ? undefined : extra,
  });
  const object = (pieces: readonly Uint8Array[] | undefined): unknown =>
    pieces && JSON.parse(Buffer.concat(pieces).toString("utf8"));
  const ref = given.objectRef;
  const isJoined = version === "v1alpha1" && ref !== undefined && ref.apiGroup !== "";
  return JSON.stringify({
    kind: "Event",
    apiVersion,
    ...(version !== "v1" && { metadata: { creationTimestamp: second(given.stageAt) } }),
    level: given.level,
    ...(version !== "v1" && { timestamp: second(given.receivedAt) }),
    auditID: given.auditId,
    stage: given.stage,
    requestURI: given.requestUri,
    verb: given.verb,
    user: given.user === undefined ? {} : shown(given.user),
    impersonatedUser: given.impersonatedUser && shown(given.impersonatedUser),
    sourceIPs: given.sourceAddresses.length === 0 ? undefined : given.sourceAddresses,
    userAgent: known(given.userAgent),
    objectRef: ref && {
      resource: known(ref.resource),
      namespace: known(ref.namespace),
      name: known(ref.name),
      uid: known(ref.uid),
      apiGroup: isJoined ? undefined : known(ref.apiGroup),
      apiVersion: isJoined ? `${ref.apiGroup}/${ref.apiVersion}` : known(ref.apiVersion),
      resourceVersion: known(ref.resourceVersion),
      subresource: known(ref.subresource),
    },
    responseStatus: given.responseStatus && { metadata: {}, ...given.responseStatus },
    requestObject: object(given.requestObject),
    responseObject: object(given.responseObject),
    requestReceivedTimestamp: time(given.receivedAt),
    stageTimestamp: time(given.stageAt),
    annotations:
      given.annotations.size === 0
        ? undefined
        : Object.fromEntries([...given.annotations].sort(([a], [b]) => (a < b ? -1 : 1))),
  });
}

/** Any character, halves of pairs too; short ones occur again. */
const anyText = fc.oneof(
  fc.constantFrom("", "a", 'b"c', "\n", "é", "a".repeat(300)),
  fc.string({ unit: "binary" }),
);
const anyUser = fc.record({
  name: anyText,
  uid: anyText,
  groups: fc.array(anyText, { maxLength: 2 }),
  extra: fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.array(anyText, { maxLength: 2 }), { maxKeys: 2 }),
});
const anyObject = fc.option(
  fc.json().map((json) => [Buffer.from(JSON.stringify(JSON.parse(json)))]),
  { nil: undefined },
);
const anyTime = fc.oneof(
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_003_000 }),
  fc.integer({ min: 0, max: 4_000_000_000_000 }),
);

function anyEvent(users: readonly UserInfo[], addresses: readonly (readonly string[])[]) {
  return fc.record({
    level: fc.constantFrom("Metadata" as const, "Request" as const, "RequestResponse" as const),
    auditId: anyText,
    stage: fc.constantFrom("RequestReceived" as const, "ResponseComplete" as const),
    requestUri: anyText,
    verb: anyText,
    user: fc.constantFrom(undefined, ...users),
    impersonatedUser: fc.constantFrom(undefined, ...users),
    sourceAddresses: fc.constantFrom(...addresses),
    userAgent: anyText,
    objectRef: fc.option(
      fc.record({
        resource: anyText,
        namespace: anyText,
        name: anyText,
        uid: anyText,
        apiGroup: anyText,
        apiVersion: anyText,
        resourceVersion: anyText,
        subresource: anyText,
      }),
      { nil: undefined },
    ),
    responseStatus: fc.constantFrom(
      undefined,
      { code: 200 },
      { code: 404 },
      { status: "Failure" as const, message: 'no "x"', code: 500 },
    ),
    requestObject: anyObject,
    responseObject: anyObject,
    receivedAt: anyTime,
    stageAt: anyTime,
    annotations: fc
      .dictionary(fc.stringMatching(/^[a-c]\/[a-c]$/), anyText, { maxKeys: 3 })
      .map((annotations) => new Map(Object.entries(annotations))),
  });
}

test.each(["v1", "v1beta1", "v1alpha1"] as const)(
  "%s: any events are printed as their objects are",
  (version) => {
    const groups = fc.tuple(
      fc.array(anyUser, { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(anyText, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
    );
    const sequences = groups.chain(([users, addresses]) =>
      fc.array(anyEvent(users, addresses), { minLength: 1, maxLength: 8 }),
    );
    fc.assert(
      fc.property(sequences, (events) => {
        const printer = new EventPrinter(version, "audit.orch.io/v1");
        for (const each of events) {
          expect(whole(printer.print(each))).toBe(plainly(version, each, "audit.orch.io/v1"));
        }
      }),
    );
  },
);

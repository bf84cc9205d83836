import { expect, test } from "vitest";
import type { RequestScope } from "../request/request-scope.js";
import { Metrics } from "../telemetry/metrics.js";
import type { AuditEvent } from "./audit-event.js";
import { AuditMetrics } from "./audit-metrics.js";
import { Auditor } from "./auditor.js";
import type { AuditDecision } from "./policy/policy.js";

const request = {
  info: {
    isResourceRequest: true,
    path: "/api/v1/pods",
    verb: "list",
    apiPrefix: "api",
    apiGroup: "",
    apiVersion: "v1",
    namespace: "",
    resource: "pods",
    subresource: "",
    name: "",
    parts: ["pods"],
  },
  auditId: "id",
  requestUri: "/api/v1/pods",
  receivedAt: new Date(0),
  authenticatedUser: { name: "jane", uid: "", groups: [], extra: {} },
  user: { name: "jane", uid: "", groups: [], extra: {} },
  userAgent: "",
  sourceAddresses: [],
} as unknown as RequestScope; // what an auditor reads of one

/** What reaches a backend that keeps events, or not. */
function ground(decision: Partial<AuditDecision> = {}, { keeps = true, tellsReasons = true } = {}) {
  const events: Pick<AuditEvent, "stage" | "responseStatus">[] = [];
  const metrics = new Metrics();
  const auditor = new Auditor({
    evaluate: () => ({ level: "Metadata", omitStages: new Set(), omitManagedFields: false, ...decision }),
    backends: [
      {
        process({ stage, responseStatus }) {
          events.push({ stage, responseStatus });
          return keeps;
        },
        async close() {},
      },
    ],
    holdsAnswers: false,
    tellsReasons,
    metrics: new AuditMetrics(metrics),
    now: () => 1,
  });
  const record = auditor.open(request);
  if (record === undefined) throw new Error("the request is recorded");
  return { record, events };
}

test("a request has an event when it comes and one when it is over, once", () => {
  const { record, events } = ground();
  expect(record.received()).toBe(true);
  record.ended(200);
  record.ended(500);
  expect(events).toEqual([
    { stage: "RequestReceived", responseStatus: undefined },
    { stage: "ResponseComplete", responseStatus: { code: 200 } },
  ]);
});

test("a defect of the server is the stage Panic, with its message", () => {
  const { record, events } = ground({ omitStages: new Set(["RequestReceived"]) });
  record.received();
  record.failed(new Error("x is undefined"));
  record.ended(500);
  expect(events).toEqual([
    {
      stage: "Panic",
      responseStatus: {
        status: "Failure",
        reason: "InternalError",
        message: "APIServer panic'd: x is undefined",
        code: 500,
      },
    },
  ]);
});

test("the event of a client that left early is that of an answered request", () => {
  const { record, events } = ground({ omitStages: new Set(["RequestReceived"]) });
  record.ended(0);
  expect(events).toEqual([
    {
      stage: "ResponseComplete",
      responseStatus: { status: "Success", message: "Connection closed early", code: 200 },
    },
  ]);
});

test("what a backend loses is reported to the caller", () => {
  const { record } = ground({}, { keeps: false });
  expect(record.received()).toBe(false);
});

test.each([
  ["1.23", false, { status: "Failure", reason: "NotFound", code: 404 }],
  [
    "1.24",
    true,
    { status: "Failure", message: "gone", reason: "NotFound", details: { name: "a" }, code: 404 },
  ],
])("at %s, events repeat the message of a refusal: %s", (_level, tellsReasons, expected) => {
  const { record, events } = ground({}, { tellsReasons });
  const details = { name: "a" };
  record.trail.recordStatus({
    status: "Failure",
    message: "gone",
    reason: "NotFound",
    details,
    code: 404,
    metadata: {},
  });
  record.ended(404);
  expect(events.at(-1)?.responseStatus).toEqual(expected);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { startTraceCollector, type TraceCollector } from "../../../test/support/trace-collector.js";
import type { SpanRecord } from "../../telemetry/span-record.js";
import { SpanSender } from "./span-sender.js";

let collector: TraceCollector;
let failures: string[];

beforeEach(async () => {
  collector = await startTraceCollector();
  failures = [];
});

afterEach(() => collector.close());

function senderTo(endpoint: string): SpanSender {
  const service = { name: "kube-apiserver", version: "1", instance: "here" };
  return new SpanSender({ endpoint: `http://${endpoint}`, service }, (reason) => failures.push(reason));
}

const root: SpanRecord = [
  "a".repeat(32),
  "b".repeat(16),
  null,
  "HTTP GET",
  1,
  1_700_000_000_000.5,
  1_700_000_000_001.25,
  { verb: "get", "http.status_code": 200 },
  [["half", 1_700_000_000_001]],
  0,
  0,
];
const child: SpanRecord = [
  "a".repeat(32),
  "c".repeat(16),
  "b".repeat(16),
  "encode",
  0,
  5,
  6,
  0,
  0,
  "broken",
  0,
];

test("records become spans of OpenTelemetry, which are sent at the latest when the sender closes", async () => {
  const sender = senderTo(collector.endpoint);
  sender.send(JSON.stringify([root, child]));
  await sender.close(5000);
  expect(failures).toEqual([]);
  expect(collector.spans).toEqual([
    {
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      parentId: "",
      name: "HTTP GET",
      attributes: { verb: "get", "http.status_code": "200" },
      events: ["half"],
      service: "kube-apiserver",
      startMs: 1_700_000_000_000.5,
      endMs: 1_700_000_000_001.25,
    },
    expect.objectContaining({
      spanId: "c".repeat(16),
      parentId: "b".repeat(16),
      name: "encode",
      attributes: {},
    }),
  ]);
});

test("thousands of spans that come at once are all sent", async () => {
  const sender = senderTo(collector.endpoint);
  const batch = JSON.stringify(Array.from({ length: 256 }, () => child));
  for (let sent = 0; sent < 40; sent++) sender.send(batch);
  await sender.close(100_000); // a busy machine takes long
  expect(collector.spans).toHaveLength(256 * 40);
});

test("without a collector, closing ends in time", async () => {
  collector.close();
  const sender = senderTo(collector.endpoint);
  sender.send(JSON.stringify([root]));
  await sender.close(50);
});

import { expect, test } from "vitest";
import { Metrics } from "../../telemetry/metrics.js";
import { GrpcMetrics } from "./grpc-metrics.js";

function shown(metrics: Metrics): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { type, family } of metrics.read()) {
    if (type !== "counter") continue;
    for (const { values, child } of family.children())
      found[[family.name, ...values].join(" ")] = child.value;
  }
  return found;
}

test("calls, their messages and their status codes are counted by method", () => {
  const metrics = new Metrics();
  const calls = new GrpcMetrics(metrics);
  const range = calls.started("/etcdserverpb.KV/Range", "unary");
  range.sent();
  range.received();
  range.handled(0);
  calls.started("/etcdserverpb.KV/Range", "unary").handled(14);
  const watch = calls.started("/etcdserverpb.Watch/Watch", "bidi_stream");
  watch.sent();
  watch.received();
  watch.received();
  const ofRange = "unary etcdserverpb.KV Range";
  const ofWatch = "bidi_stream etcdserverpb.Watch Watch";
  expect(shown(metrics)).toEqual({
    [`grpc_client_started_total ${ofRange}`]: 2,
    [`grpc_client_msg_sent_total ${ofRange}`]: 1,
    [`grpc_client_msg_received_total ${ofRange}`]: 1,
    [`grpc_client_handled_total ${ofRange} OK`]: 1,
    [`grpc_client_handled_total ${ofRange} Unavailable`]: 1,
    [`grpc_client_started_total ${ofWatch}`]: 1,
    [`grpc_client_msg_sent_total ${ofWatch}`]: 1,
    [`grpc_client_msg_received_total ${ofWatch}`]: 2,
  });
});

test("a status code that gRPC does not know is counted as Unknown", () => {
  const metrics = new Metrics();
  const call = new GrpcMetrics(metrics).started("/a.B/C", "unary");
  call.handled(99);
  call.handled(Number.NaN);
  expect(shown(metrics)["grpc_client_handled_total unary a.B C Unknown"]).toBe(2);
});

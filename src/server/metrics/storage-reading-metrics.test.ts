import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { builtinResources } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { ObjectReader } from "../../storage/store/object-reader.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { StorageMetrics } from "./storage-metrics.js";

const byName = 'resource="deployments.apps"';

test.each<[ApiLevel, boolean, string]>([
  ["1.26", false, byName],
  ["1.27", true, byName],
  ["1.36", true, 'group="apps",resource="deployments"'],
])(
  "at %s, events of the store and values that cannot be decoded are counted: %s",
  async (level, counts, of) => {
    const deployments = builtinResources(testApiContext({ level })).find(
      ({ resource }) => resource === "deployments",
    );
    if (deployments === undefined) throw new Error("no deployments");
    const metrics = new Metrics();
    const observer = new StorageMetrics(metrics, "etcd", level).of(deployments).cache();
    observer.eventsApplied?.(3);
    const codec = {
      toStorage: () => new Uint8Array(),
      fromStorage: () => {
        throw new Error("no object");
      },
      fromBody: () => ({}),
      labelsOf: () => ({}),
      fieldsOf: () => ({}),
    };
    const reader = new ObjectReader("/registry/deployments/", codec as never, undefined, {
      onUndecodable: () => observer.undecodable?.(),
    });
    const value = { key: "/registry/deployments/ns/a", value: new Uint8Array(), modRevision: 1 };
    expect(() => reader.read(value as never)).toThrow();
    const text = await printMetrics(metrics.read());
    expect(text.includes(`apiserver_storage_decode_errors_total{${of}} 1`)).toBe(counts);
    expect(text.includes(`apiserver_storage_events_received_total{${of}} 3`)).toBe(counts);
  },
);

import { expect, expectTypeOf, test } from "vitest";
import type { AdmissionPluginName } from "../../admission/plugin-table.js";
import { newestLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { defaultText } from "./help.js";
import type { Cidr } from "./network-values.js";
import { defaultOptions, displayName, type Options, optionNamed, optionNames } from "./options.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");

test("values have precise types", () => {
  expectTypeOf<Options["securePort"]>().toEqualTypeOf<number>();
  expectTypeOf<Options["requestTimeoutMs"]>().toEqualTypeOf<number>();
  expectTypeOf<Options["tlsCertFile"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Options["certDir"]>().toEqualTypeOf<string>();
  expectTypeOf<Options["http2MaxStreamsPerConnection"]>().toEqualTypeOf<number>();
  expectTypeOf<Options["storageMediaType"]>().toEqualTypeOf<"json" | "protobuf">();
  expectTypeOf<Options["endpointReconcilerType"]>().toEqualTypeOf<"master-count" | "lease" | "none">();
  expectTypeOf<Options["serviceClusterIpRange"]>().toEqualTypeOf<readonly Cidr[]>();
  expectTypeOf<Options["enableAdmissionPlugins"]>().toEqualTypeOf<readonly AdmissionPluginName[]>();
  expectTypeOf<Options["runtimeConfig"]>().toEqualTypeOf<ReadonlyMap<string, string>>();
});

test("every default that is shown reads back as itself, passes its own check and is supported", () => {
  for (const naming of [orch, kubernetes]) {
    for (const level of [oldestLevel, newestLevel]) {
      for (const name of optionNames()) {
        const option = optionNamed(name);
        const value = option.defaultValue(naming, level);
        expect(option.check?.(value, name, level), name).toBeUndefined();
        const text = defaultText(option, naming, level);
        if (text === "" || text === "[]") continue;
        expect(option.parse(text, undefined, naming, level), name).toEqual({ value });
      }
    }
  }
});

test("no two options share a property or a name in either profile", () => {
  expect(Object.keys(defaultOptions(orch))).toHaveLength(optionNames().length);
  const spellings = optionNames().flatMap((name) => [...new Set([name, displayName(name, kubernetes)])]);
  expect(new Set(spellings).size).toBe(spellings.length);
});

test("defaults are shown in the form of their types", () => {
  const shown = optionNames().flatMap((name) => {
    const text = defaultText(optionNamed(name), orch, oldestLevel);
    return text === "" ? [] : [`${name} ${text}`];
  });
  expect(shown).toEqual([
    "data-dir ./.orch",
    "api-profile orch",
    "console loopback",
    "controllers *",
    "secure-port 6443",
    "bind-address 0.0.0.0",
    "cert-dir /var/run/orch",
    "storage-backend store3",
    "storage-media-type application/vnd.orch.protobuf",
    "store-prefix /registry",
    "store-compaction-interval 5m0s",
    "store-count-metric-poll-period 1m0s",
    "store-db-metric-poll-interval 30s",
    "store-healthcheck-timeout 2s",
    "store-readycheck-timeout 2s",
    "storage-initialization-timeout 1m0s",
    "watch-cache true",
    "default-watch-cache-size 100",
    "event-ttl 1h0m0s",
    "apiserver-count 1",
    "endpoint-reconciler-type lease",
    "aggregator-reject-forwarding-redirect true",
    "service-node-port-range 30000-32767",
    "master-service-namespace default",
    "enable-garbage-collector true",
    "default-not-ready-toleration-seconds 300",
    "default-unreachable-toleration-seconds 300",
    "delete-collection-workers 1",
    "identity-lease-duration-seconds 3600",
    "identity-lease-renew-interval-seconds 10",
    "coordinated-leadership-lease-duration 15s",
    "coordinated-leadership-renew-deadline 10s",
    "coordinated-leadership-retry-period 2s",
    "lease-reuse-duration-seconds 60",
    "nodeagent-preferred-address-types Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP",
    "nodeagent-port 10250",
    "nodeagent-timeout 5s",
    "logging-format text",
    "log-flush-frequency 5s",
    "logtostderr true",
    "stderrthreshold 2",
    "log-file-max-size 1800",
    "log-backtrace-at :0",
    "profiling true",
    "enable-logs-handler true",
    "allow-metric-labels []",
    "anonymous-auth true",
    "service-account-lookup true",
    "service-account-extend-token-expiration true",
    "oidc-username-claim sub",
    "oidc-signing-algs RS256",
    "authentication-token-webhook-cache-ttl 2m0s",
    "authentication-token-webhook-version v1beta1",
    "authorization-mode AlwaysAllow",
    "authorization-webhook-version v1beta1",
    "authorization-webhook-cache-authorized-ttl 5m0s",
    "authorization-webhook-cache-unauthorized-ttl 30s",
    "audit-log-mode blocking",
    "audit-log-format json",
    "audit-log-version audit.orch.io/v1",
    "audit-log-batch-buffer-size 10000",
    "audit-log-batch-max-size 1",
    "audit-log-truncate-max-batch-size 10485760",
    "audit-log-truncate-max-event-size 102400",
    "audit-webhook-mode batch",
    "audit-webhook-version audit.orch.io/v1",
    "audit-webhook-batch-buffer-size 10000",
    "audit-webhook-batch-max-size 400",
    "audit-webhook-batch-max-wait 30s",
    "audit-webhook-batch-throttle-burst 15",
    "audit-webhook-batch-throttle-enable true",
    "audit-webhook-batch-throttle-qps 10",
    "audit-webhook-initial-backoff 10s",
    "audit-webhook-truncate-max-batch-size 10485760",
    "audit-webhook-truncate-max-event-size 102400",
    "max-requests-inflight 400",
    "max-mutating-requests-inflight 200",
    "enable-priority-and-fairness true",
    "request-timeout 1m0s",
    "connection-header-timeout 32s",
    "connection-idle-timeout 1m30s",
    "max-connections 10000",
    "serving-threads 1",
    "max-lanes -1",
    "lane-request-bytes 65536",
    "lane-time-limit 20s",
    "lane-memory-mb 1024",
    "min-request-timeout 1800",
    "api-level 1.23",
    "nodeagent-read-only-port 10255",
  ]);
});

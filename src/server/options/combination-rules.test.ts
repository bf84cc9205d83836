import { expect, test } from "vitest";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import { createNaming } from "../../naming/naming.js";
import { brokenRule } from "./combination-rules.js";
import { defaultOptions, type Options, optionProperty } from "./options.js";

const naming = createNaming("orch");

function broken(options: Partial<Options>): string | undefined {
  return brokenRule({
    options: { ...defaultOptions(naming), ...options },
    naming,
    isGiven: (name) => options[optionProperty(name)] !== undefined,
    flag: (name) => `--${name}`,
  });
}

test("the defaults break no rule, in either profile", () => {
  for (const profile of ["orch", "kubernetes"] as const) {
    const words = createNaming(profile);
    expect(
      brokenRule({
        options: defaultOptions(words),
        naming: words,
        isGiven: () => false,
        flag: (name) => name,
      }),
    ).toBeUndefined();
  }
});

const file = { auditLogPath: "-", auditWebhookConfigFile: "w" };
const ipv4 = { address: "10.0.0.0", family: 4, prefixLength: 24 } as const;
const ipv6 = { address: "fd00::", family: 6, prefixLength: 120 } as const;

test("a storm needs a lab", () => {
  const labStorm = { name: "network", seed: 1 } as const;
  expect(broken({ labStorm })).toBe("--lab-storm: requires --lab");
  expect(broken({ labStorm, lab: true })).toBeUndefined();
});

test("configuration files of authenticators and authorizers exclude other options, even with default values", () => {
  const authentication = { authenticationConfig: "a", apiLevel: "1.30" } as const;
  expect(broken(authentication)).toBeUndefined();
  for (const other of [{ oidcUsernameClaim: "sub" }, { oidcSigningAlgs: ["RS256"] }] as const) {
    expect(broken({ ...authentication, ...other })).toBe(
      "--authentication-config: authentication-config file and oidc-* flags are mutually exclusive",
    );
  }
  const authorization = { authorizationConfig: "a", apiLevel: "1.30" } as const;
  expect(broken(authorization)).toBeUndefined();
  for (const other of [
    { authorizationMode: ["AlwaysAllow"] },
    { authorizationWebhookVersion: "v1" },
    { authorizationWebhookCacheAuthorizedTtlMs: 1 },
    { authorizationWebhookCacheUnauthorizedTtlMs: 1 },
  ] as const) {
    expect(broken({ ...authorization, ...other })).toBe(
      "--authorization-config: can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
    );
  }
});

test("lease duration, renew deadline and retry period of coordinated leadership must decrease", () => {
  expect(broken({ coordinatedLeadershipLeaseDurationMs: 10_000 })).toBe(
    "--coordinated-leadership-lease-duration: must be greater than --coordinated-leadership-renew-deadline",
  );
  expect(broken({ coordinatedLeadershipRetryPeriodMs: 10_000 })).toBe(
    "--coordinated-leadership-renew-deadline: must be greater than --coordinated-leadership-retry-period",
  );
  expect(broken({ coordinatedLeadershipRetryPeriodMs: 0 })).toBe(
    "--coordinated-leadership-retry-period: must be greater than zero",
  );
});

test("service ranges may have any size when addresses are only kept as objects", () => {
  const ranges: Partial<Options> = {
    serviceClusterIpRange: [
      { ...ipv4, prefixLength: 8 },
      { ...ipv6, prefixLength: 64 },
    ],
  };
  const tooLarge =
    "specified --service-cluster-ip-range is too large; for 32-bit addresses, the mask must be >= 12";
  expect(broken({ ...ranges, apiLevel: "1.36" })).toBeUndefined();
  expect(broken({ ...ranges, apiLevel: "1.34" })).toBeUndefined();
  expect(broken({ ...ranges, apiLevel: "1.33" })).toBe(tooLarge);
  expect(broken({ serviceClusterIpRange: [ipv4, { ...ipv6, prefixLength: 64 }], apiLevel: "1.23" })).toBe(
    "specified --service-cluster-ip-range[1] is too large; for 128-bit addresses, the mask must be >= 108",
  );
  const gates = (...on: readonly FeatureGateName[]) => new Map(on.map((name) => [name, true] as const));
  const both = gates("MultiCIDRServiceAllocator", "DisableAllocatorDualWrite");
  expect(broken({ ...ranges, apiLevel: "1.31", featureGates: both })).toBeUndefined();
  expect(broken({ ...ranges, apiLevel: "1.31", featureGates: gates("MultiCIDRServiceAllocator") })).toBe(
    tooLarge,
  );
});

test("plugins must exist at the level", () => {
  const plugins = { enableAdmissionPlugins: ["PodSecurityPolicy"] } as const;
  expect(broken({ ...plugins, apiLevel: "1.24" })).toBeUndefined();
  expect(broken({ ...plugins, apiLevel: "1.25" })).toBe(
    '--enable-admission-plugins: API level 1.25 has no plugin "PodSecurityPolicy"',
  );
  expect(broken({ disableAdmissionPlugins: ["SecurityContextDeny"], apiLevel: "1.30" })).toBe(
    '--disable-admission-plugins: API level 1.30 has no plugin "SecurityContextDeny"',
  );
});

test.each<[Partial<Options>, string]>([
  [{ tlsCertFile: "a" }, "--tls-private-key-file: required when --tls-cert-file is given"],
  [{ tlsPrivateKeyFile: "a" }, "--tls-cert-file: required when --tls-private-key-file is given"],
  [{ storeKeyfile: "a" }, "--store-certfile: required when --store-keyfile is given"],
  [
    { nodeagentClientKey: "a" },
    "--nodeagent-client-certificate: required when --nodeagent-client-key is given",
  ],
  [{ proxyClientCertFile: "a" }, "--proxy-client-key-file: required when --proxy-client-cert-file is given"],
  [{ oidcIssuerUrl: "https://a" }, "--oidc-client-id: required when --oidc-issuer-url is given"],
  [{ oidcClientId: "a" }, "--oidc-issuer-url: required when --oidc-client-id is given"],
  [
    { watchCache: false, watchCacheSizes: [{ group: "", resource: "pods", size: 1 }] },
    "--watch-cache-sizes: has no effect with --watch-cache=false",
  ],
  [
    { advertiseAddress: "::1" },
    '--service-cluster-ip-range: service IP family "IPv4" must match public address family "IPv6" of --advertise-address',
  ],
  [
    { advertiseAddress: "10.1.1.1", serviceClusterIpRange: [ipv6, ipv4] },
    '--service-cluster-ip-range: service IP family "IPv6" must match public address family "IPv4" of --advertise-address',
  ],
  [
    { orchServiceNodePort: 80 },
    "--orch-service-node-port: service port range 30000-32767 doesn't contain 80",
  ],
  [
    { serviceAccountSigningKeyFile: "a" },
    "--service-account-issuer: required when --service-account-signing-key-file is given",
  ],
  [
    { serviceAccountSigningKeyFile: "a", serviceAccountIssuer: ["i"] },
    "--service-account-key-file: required when --service-account-signing-key-file is given",
  ],
  [
    { admissionControl: ["AlwaysAdmit"], disableAdmissionPlugins: ["ServiceAccount"] },
    "--admission-control: mutually exclusive with --enable-admission-plugins and --disable-admission-plugins",
  ],
  [{ authorizationMode: ["ABAC"] }, "--authorization-policy-file: required with --authorization-mode ABAC"],
  [
    { authorizationPolicyFile: "a" },
    "--authorization-policy-file: cannot be specified without --authorization-mode ABAC",
  ],
  [
    { authorizationMode: ["RBAC", "Webhook"] },
    "--authorization-webhook-config-file: required with --authorization-mode Webhook",
  ],
  [
    { authorizationWebhookConfigFile: "a" },
    "--authorization-webhook-config-file: cannot be specified without --authorization-mode Webhook",
  ],
  [
    { enableAdmissionPlugins: ["PodSecurity", "Priority"], disableAdmissionPlugins: ["Priority"] },
    "--enable-admission-plugins: Priority also in --disable-admission-plugins",
  ],
  [
    { ...file, auditLogMode: "batch", auditLogBatchMaxSize: 0 },
    "--audit-log-batch-max-size 0: must be a positive number in batch mode",
  ],
  [
    { ...file, auditLogMode: "batch", auditLogBatchThrottleEnable: true },
    "--audit-log-batch-throttle-qps 0: must be a positive number in batch mode",
  ],
  [
    { ...file, auditWebhookBatchThrottleBurst: 0 },
    "--audit-webhook-batch-throttle-burst 0: must be a positive number in batch mode",
  ],
  [
    { ...file, auditLogTruncateMaxEventSize: 0 },
    "--audit-log-truncate-max-event-size 0: must be a positive number",
  ],
  [
    { ...file, auditWebhookTruncateMaxBatchSize: 1 },
    "--audit-webhook-truncate-max-batch-size 1: must be greater than --audit-webhook-truncate-max-event-size (102400)",
  ],
  [
    { maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 },
    "--max-requests-inflight and --max-mutating-requests-inflight must add up to more than 0 with --enable-priority-and-fairness",
  ],
  [
    { runtimeConfig: new Map([["api/beta", "false"]]) },
    "--runtime-config=api/beta=false conflicts with --enable-priority-and-fairness=true",
  ],
])("%o", (options, message) => {
  expect(broken(options)).toBe(message);
});

test.each<[string, Partial<Options>]>([
  ["a certificate with its key", { tlsCertFile: "a", tlsPrivateKeyFile: "b" }],
  ["an issuer alone", { serviceAccountIssuer: ["i"] }],
  ["addresses of one family", { advertiseAddress: "::1", serviceClusterIpRange: [ipv6, ipv4] }],
  [
    "addresses of two families, when no endpoints are kept",
    { endpointReconcilerType: "none", advertiseAddress: "127.0.0.1", serviceClusterIpRange: [ipv6] },
  ],
  ["a policy file with its mode", { authorizationMode: ["ABAC"], authorizationPolicyFile: "a" }],
  ["batch limits of a backend that is off", { auditLogMode: "batch", auditLogBatchMaxSize: 0 }],
  [
    "throttle limits when throttling is off",
    { ...file, auditWebhookBatchThrottleEnable: false, auditWebhookBatchThrottleQps: 0 },
  ],
  [
    "no limits without priority and fairness",
    { enablePriorityAndFairness: false, maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 },
  ],
  [
    "beta versions off but the one that priority and fairness needs",
    {
      runtimeConfig: new Map([
        ["api/beta", "false"],
        ["flowcontrol.apiserver.orch.io/v1beta2", "true"],
      ]),
    },
  ],
])("%s: no rule is broken", (_name, options) => {
  expect(broken(options)).toBeUndefined();
});

import { isIP } from "node:net";
import { pluginTable } from "../../admission/plugin-table.js";
import { type ApiLevel, hasLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { FeatureGates, settingProblem } from "./feature-gates.js";
import type { OptionName, Options } from "./options.js";

export interface RuleContext {
  readonly options: Options;
  readonly naming: Naming;
  /** The option as the user wrote it, or as help shows it: `--tls-cert-file`. */
  readonly flag: (name: OptionName) => string;
}

/** A message that begins with the option to change; undefined when the rule holds. */
type Rule = (context: RuleContext) => string | undefined;

/** Conditions between options, once each is valid on its own. The first violated rule is reported. */
export function brokenRule(context: RuleContext): string | undefined {
  for (const rule of rules) {
    const message = rule(context);
    if (message !== undefined) return message;
  }
  return undefined;
}

const rules: readonly Rule[] = [
  ({ options, flag }) =>
    both(flag, {
      "tls-cert-file": options.tlsCertFile,
      "tls-private-key-file": options.tlsPrivateKeyFile,
    }),
  ({ options, flag }) =>
    both(flag, { "store-certfile": options.storeCertfile, "store-keyfile": options.storeKeyfile }),
  ({ options, flag }) =>
    both(flag, {
      "nodeagent-client-certificate": options.nodeagentClientCertificate,
      "nodeagent-client-key": options.nodeagentClientKey,
    }),
  ({ options, flag }) =>
    both(flag, {
      "proxy-client-cert-file": options.proxyClientCertFile,
      "proxy-client-key-file": options.proxyClientKeyFile,
    }),
  ({ options, flag }) =>
    both(flag, { "oidc-issuer-url": options.oidcIssuerUrl, "oidc-client-id": options.oidcClientId }),
  ({ options, flag }) =>
    options.encryptionProviderConfigAutomaticReload && (options.encryptionProviderConfig ?? "") === ""
      ? `${flag("encryption-provider-config-automatic-reload")}: must be set with ${flag("encryption-provider-config")}`
      : undefined,
  ({ options, flag }) =>
    options.labStorm !== undefined && !options.lab
      ? `${flag("lab-storm")}: must be set with ${flag("lab")}`
      : undefined,
  coordinatedLeadershipTimes,
  watchCacheSizesNeedWatchCache,
  uidHeadersNeedGate,
  authenticationConfigAlone,
  authorizationConfigAlone,
  serviceAddressFamilies,
  ownNodePortInRange,
  signingKeyHasIssuerAndVerifiers,
  signingEndpointAlone,
  authorizationFilesMatchModes,
  admissionPluginsNotOnBothLists,
  admissionControlAlone,
  admissionPluginsOfLevel,
  auditLog,
  auditWebhook,
  auditVersionsOfLevel,
  featureGatesOfLevel,
  priorityAndFairness,
  servingThreadsOnEmbeddedStore,
];

function both(
  flag: RuleContext["flag"],
  pair: { readonly [name in OptionName]?: string | undefined },
): string | undefined {
  // The keys of the literals above are option names.
  const names = Object.keys(pair) as OptionName[];
  const missing = names.find((name) => pair[name] === undefined);
  const given = names.find((name) => pair[name] !== undefined);
  return missing && given && `${flag(missing)}: required when ${flag(given)} is given`;
}

function coordinatedLeadershipTimes({ options, flag }: RuleContext): string | undefined {
  const lease = flag("coordinated-leadership-lease-duration");
  const deadline = flag("coordinated-leadership-renew-deadline");
  const period = flag("coordinated-leadership-retry-period");
  const { coordinatedLeadershipLeaseDurationMs: leaseMs, coordinatedLeadershipRenewDeadlineMs: deadlineMs } =
    options;
  if (leaseMs <= deadlineMs) return `${lease}: must be greater than ${deadline}`;
  // Without a period it would try without a pause.
  const periodMs = options.coordinatedLeadershipRetryPeriodMs;
  if (periodMs <= 0) return `${period}: must be greater than zero`;
  return deadlineMs <= periodMs ? `${deadline}: must be greater than ${period}` : undefined;
}

function watchCacheSizesNeedWatchCache({ options, flag }: RuleContext): string | undefined {
  return options.watchCacheSizes.length > 0 && !options.watchCache
    ? `${flag("watch-cache-sizes")}: has no effect with ${flag("watch-cache")}=false`
    : undefined;
}

function uidHeadersNeedGate({ options, flag, naming }: RuleContext): string | undefined {
  if (options.requestheaderUidHeaders.length === 0) return undefined;
  const gates = new FeatureGates(options.featureGates, options.apiLevel);
  return gates.enabled("RemoteRequestHeaderUID")
    ? undefined
    : `${flag("requestheader-uid-headers")}: requires the ${JSON.stringify(naming.featureGate("RemoteRequestHeaderUID"))} feature to be enabled`;
}

function authenticationConfigAlone({ options, flag, naming }: RuleContext): string | undefined {
  if (options.authenticationConfig === undefined) return undefined;
  const option = flag("authentication-config");
  const gate = "StructuredAuthenticationConfiguration";
  if (!new FeatureGates(options.featureGates, options.apiLevel).enabled(gate)) {
    return `${option}: set ${flag("feature-gates")}=${naming.featureGate(gate)}=true to use it`;
  }
  const { oidcIssuerUrl, oidcClientId, oidcCaFile, oidcUsernamePrefix } = options;
  const { oidcGroupsClaim, oidcGroupsPrefix, oidcRequiredClaim } = options;
  const others = [
    oidcIssuerUrl,
    oidcClientId,
    oidcCaFile,
    oidcUsernamePrefix,
    oidcGroupsClaim,
    oidcGroupsPrefix,
  ];
  return others.some((value) => value !== undefined) || oidcRequiredClaim.size > 0
    ? `${option}: authentication-config file and oidc-* flags are mutually exclusive`
    : undefined;
}

function authorizationConfigAlone({ options, flag, naming }: RuleContext): string | undefined {
  if (options.authorizationConfig === undefined) return undefined;
  const option = flag("authorization-config");
  const gate = "StructuredAuthorizationConfiguration";
  if (!new FeatureGates(options.featureGates, options.apiLevel).enabled(gate)) {
    return `${option}: cannot be used without enabling the ${naming.featureGate(gate)} feature flag`;
  }
  const [mode, ...others] = options.authorizationMode;
  const hasModes = others.length > 0 || mode !== "AlwaysAllow";
  return hasModes || options.authorizationWebhookConfigFile !== undefined
    ? `${option}: can not be specified when ${flag("authorization-mode")} or --authorization-webhook-* flags are defined`
    : undefined;
}

function serviceAddressFamilies({ options, flag }: RuleContext): string | undefined {
  if (options.advertiseAddress === undefined) return undefined;
  const serviceFamily = options.serviceClusterIpRange[0]?.family ?? 4;
  const family = isIP(options.advertiseAddress);
  return family === serviceFamily
    ? undefined
    : `${flag("service-cluster-ip-range")}: service IP family "IPv${serviceFamily}" must match public address family "IPv${family}" of ${flag("advertise-address")}`;
}

function ownNodePortInRange({ options, flag }: RuleContext): string | undefined {
  const { orchServiceNodePort: port, serviceNodePortRange: range } = options;
  return port > 0 && (port < range.min || port > range.max)
    ? `${flag("orch-service-node-port")}: service port range ${range.min}-${range.max} doesn't contain ${port}`
    : undefined;
}

function signingKeyHasIssuerAndVerifiers({ options, flag }: RuleContext): string | undefined {
  if (options.serviceAccountSigningKeyFile === undefined) return undefined;
  const required = `required when ${flag("service-account-signing-key-file")} is given`;
  if (options.serviceAccountIssuer.length === 0) return `${flag("service-account-issuer")}: ${required}`;
  if (options.serviceAccountKeyFile.length === 0) return `${flag("service-account-key-file")}: ${required}`;
  return undefined;
}

function signingEndpointAlone({ options, flag, naming }: RuleContext): string | undefined {
  if (options.serviceAccountSigningEndpoint === undefined) return undefined;
  const option = flag("service-account-signing-endpoint");
  if (options.serviceAccountSigningKeyFile !== undefined || options.serviceAccountKeyFile.length > 0) {
    return `${option}: cannot be set together with ${flag("service-account-signing-key-file")} or ${flag("service-account-key-file")}`;
  }
  const gate = "ExternalServiceAccountTokenSigner";
  return new FeatureGates(options.featureGates, options.apiLevel).enabled(gate)
    ? undefined
    : `${option}: requires enabling the ${naming.featureGate(gate)} feature gate`;
}

function authorizationFilesMatchModes({ options, flag }: RuleContext): string | undefined {
  const files = [
    { name: "authorization-policy-file", file: options.authorizationPolicyFile, mode: "ABAC" },
    {
      name: "authorization-webhook-config-file",
      file: options.authorizationWebhookConfigFile,
      mode: "Webhook",
    },
  ] as const;
  for (const { name, file, mode } of files) {
    const selected = options.authorizationMode.includes(mode);
    // The file of authorizers may have that mode.
    if (mode === "ABAC" && options.authorizationConfig !== undefined) continue;
    if (selected && file === undefined) {
      return `${flag(name)}: required with ${flag("authorization-mode")} ${mode}`;
    }
    if (!selected && file !== undefined) {
      return `${flag(name)}: cannot be specified without ${flag("authorization-mode")} ${mode}`;
    }
  }
  return undefined;
}

function admissionPluginsNotOnBothLists({ options, flag }: RuleContext): string | undefined {
  const overlap = options.enableAdmissionPlugins.filter((name) =>
    options.disableAdmissionPlugins.includes(name),
  );
  return overlap.length > 0
    ? `${flag("enable-admission-plugins")}: ${overlap.join(", ")} also in ${flag("disable-admission-plugins")}`
    : undefined;
}

function admissionControlAlone({ options, flag }: RuleContext): string | undefined {
  if (options.admissionControl.length === 0) return undefined;
  const others = ["enable-admission-plugins", "disable-admission-plugins"] as const;
  return options.enableAdmissionPlugins.length > 0 || options.disableAdmissionPlugins.length > 0
    ? `${flag("admission-control")}: mutually exclusive with ${others.map(flag).join(" and ")}`
    : undefined;
}

function admissionPluginsOfLevel({ options, flag }: RuleContext): string | undefined {
  const { apiLevel, enableAdmissionPlugins, disableAdmissionPlugins, admissionControl } = options;
  const lists = [
    ["enable-admission-plugins", enableAdmissionPlugins],
    ["disable-admission-plugins", disableAdmissionPlugins],
    ["admission-control", admissionControl],
  ] as const;
  for (const [option, names] of lists) {
    const lacking = pluginTable.find((plugin) => names.includes(plugin.name) && !hasLevel(plugin, apiLevel));
    if (lacking !== undefined)
      return `${flag(option)}: API level ${apiLevel} has no plugin "${lacking.name}"`;
  }
  return undefined;
}

/** As in Kubernetes, options of a disabled backend are not checked. */
function auditLog({ options, flag }: RuleContext): string | undefined {
  if (options.auditLogPath === undefined) return undefined;
  return (
    (options.auditLogMode === "batch" ? batchLimits("log", options, flag) : undefined) ??
    truncateLimits("log", options, flag)
  );
}

function auditWebhook({ options, flag }: RuleContext): string | undefined {
  if (options.auditWebhookConfigFile === undefined) return undefined;
  return (
    (options.auditWebhookMode === "batch" ? batchLimits("webhook", options, flag) : undefined) ??
    truncateLimits("webhook", options, flag)
  );
}

type AuditBackend = "log" | "webhook";

function batchLimits(backend: AuditBackend, options: Options, flag: RuleContext["flag"]): string | undefined {
  const log = backend === "log";
  const throttled = log ? options.auditLogBatchThrottleEnable : options.auditWebhookBatchThrottleEnable;
  const limits: readonly (readonly [OptionName, number])[] = [
    [
      `audit-${backend}-batch-buffer-size`,
      log ? options.auditLogBatchBufferSize : options.auditWebhookBatchBufferSize,
    ],
    [
      `audit-${backend}-batch-max-size`,
      log ? options.auditLogBatchMaxSize : options.auditWebhookBatchMaxSize,
    ],
    [
      `audit-${backend}-batch-throttle-qps`,
      log ? options.auditLogBatchThrottleQps : options.auditWebhookBatchThrottleQps,
    ],
    [
      `audit-${backend}-batch-throttle-burst`,
      log ? options.auditLogBatchThrottleBurst : options.auditWebhookBatchThrottleBurst,
    ],
  ];
  const checked = throttled ? limits : limits.slice(0, 2);
  const bad = checked.find(([, value]) => value <= 0);
  return bad && `${flag(bad[0])} ${bad[1]}: must be a positive number in batch mode`;
}

function truncateLimits(
  backend: AuditBackend,
  options: Options,
  flag: RuleContext["flag"],
): string | undefined {
  const log = backend === "log";
  const batchBytes = log ? options.auditLogTruncateMaxBatchSize : options.auditWebhookTruncateMaxBatchSize;
  const eventBytes = log ? options.auditLogTruncateMaxEventSize : options.auditWebhookTruncateMaxEventSize;
  const eventFlag = flag(`audit-${backend}-truncate-max-event-size`);
  if (eventBytes <= 0) return `${eventFlag} ${eventBytes}: must be a positive number`;
  return batchBytes < eventBytes
    ? `${flag(`audit-${backend}-truncate-max-batch-size`)} ${batchBytes}: must be greater than ${eventFlag} (${eventBytes})`
    : undefined;
}

/** For options that come from a program; on a command line they are refused where they are read. */
function featureGatesOfLevel({ options, naming, flag }: RuleContext): string | undefined {
  for (const [gate, value] of options.featureGates) {
    const problem = settingProblem(gate, value, naming, options.apiLevel);
    if (problem !== undefined) return `${flag("feature-gates")}: ${problem}`;
  }
  return undefined;
}

function priorityAndFairness({ options, naming, flag }: RuleContext): string | undefined {
  const on =
    options.enablePriorityAndFairness &&
    new FeatureGates(options.featureGates, options.apiLevel).enabled("APIPriorityAndFairness");
  if (!on) return undefined;
  if (options.maxRequestsInflight + options.maxMutatingRequestsInflight <= 0) {
    return `${flag("max-requests-inflight")} and ${flag("max-mutating-requests-inflight")} must add up to something positive with ${flag("enable-priority-and-fairness")}`;
  }
  // The most specific key decides.
  const [version, all] = flowControlVersion(options.apiLevel);
  for (const key of [`${naming.group("flowcontrol.apiserver")}/${version}`, all, "api/all"]) {
    const value = options.runtimeConfig.get(key);
    if (value === "false") {
      return `${flag("runtime-config")}=${key}=false conflicts with ${flag("enable-priority-and-fairness")}=true`;
    }
    if (value === "true") return undefined;
  }
  return undefined;
}

function servingThreadsOnEmbeddedStore({ options, flag }: RuleContext): string | undefined {
  if (options.servingThreads === 1) return undefined;
  const reason =
    options.storeServers.length > 0
      ? `${flag("store-servers")} is given: start several servers instead`
      : options.lab
        ? `${flag("lab")} is set`
        : options.encryptionProviderConfigAutomaticReload
          ? `${flag("encryption-provider-config-automatic-reload")} is set`
          : undefined;
  return reason && `${flag("serving-threads")}: must be 1 when ${reason}`;
}

/** The version that the server itself uses at the level, and the key that stands for its stage. */
function flowControlVersion(level: ApiLevel): readonly [version: string, all: string] {
  if (isAtLeast(level, "1.29")) return ["v1", "api/ga"];
  return [isAtLeast(level, "1.26") ? "v1beta3" : "v1beta2", "api/beta"];
}

/** Later levels have only the stable version. */
function auditVersionsOfLevel({ options, naming, flag }: RuleContext): string | undefined {
  if (!isAtLeast(options.apiLevel, "1.24")) return undefined;
  const given = {
    "audit-log-version": options.auditLogVersion,
    "audit-webhook-version": options.auditWebhookVersion,
  } as const;
  for (const name of ["audit-log-version", "audit-webhook-version"] as const) {
    if (given[name] === "v1") continue;
    const group = naming.group("audit");
    return `${flag(name)}: invalid group version "${group}/${given[name]}", allowed versions are ${group}/v1`;
  }
  return undefined;
}

import { isIP } from "node:net";
import { pluginTable } from "../../admission/plugin-table.js";
import { type ApiLevel, hasLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { accessRules } from "./access-rules.js";
import { auditRules } from "./audit-rules.js";
import type { CombinationRule, RuleContext } from "./combination-rule.js";
import { FeatureGates, settingProblem } from "./feature-gates.js";
import type { OptionName } from "./options.js";

/** Conditions between options, once each is valid on its own. The first violated rule is reported. */
export function brokenRule(context: RuleContext): string | undefined {
  for (const rule of rules) {
    const message = rule(context);
    if (message !== undefined) return message;
  }
  return undefined;
}

const rules: readonly CombinationRule[] = [
  ({ options, flag }) =>
    both(flag, ["tls-cert-file", options.tlsCertFile], ["tls-private-key-file", options.tlsPrivateKeyFile]),
  ({ options, flag }) =>
    both(flag, ["store-certfile", options.storeCertfile], ["store-keyfile", options.storeKeyfile]),
  ({ options, flag }) =>
    both(
      flag,
      ["nodeagent-client-certificate", options.nodeagentClientCertificate],
      ["nodeagent-client-key", options.nodeagentClientKey],
    ),
  ({ options, flag }) =>
    both(
      flag,
      ["proxy-client-cert-file", options.proxyClientCertFile],
      ["proxy-client-key-file", options.proxyClientKeyFile],
    ),
  ({ options, flag }) =>
    both(flag, ["oidc-issuer-url", options.oidcIssuerUrl], ["oidc-client-id", options.oidcClientId]),
  ({ options, flag }) =>
    options.encryptionProviderConfigAutomaticReload && (options.encryptionProviderConfig ?? "") === ""
      ? `${flag("encryption-provider-config-automatic-reload")}: requires ${flag("encryption-provider-config")}`
      : undefined,
  ({ options, flag }) =>
    options.labStorm !== undefined && !options.lab
      ? `${flag("lab-storm")}: requires ${flag("lab")}`
      : undefined,
  coordinatedLeadershipTimes,
  watchCacheSizesNeedWatchCache,
  ...accessRules,
  serviceRangeSizes,
  serviceAddressFamilies,
  ownNodePortInRange,
  admissionPluginsNotOnBothLists,
  admissionControlAlone,
  admissionPluginsOfLevel,
  ...auditRules,
  featureGatesOfLevel,
  priorityAndFairness,
  servingThreadsOnEmbeddedStore,
];

type GivenOption = readonly [name: OptionName, value: string | undefined];

/** Two options that need each other. */
function both(flag: RuleContext["flag"], ...pair: readonly [GivenOption, GivenOption]): string | undefined {
  const [missing] = pair.find(([, value]) => value === undefined) ?? [];
  const [given] = pair.find(([, value]) => value !== undefined) ?? [];
  return missing && given && `${flag(missing)}: required when ${flag(given)} is given`;
}

function coordinatedLeadershipTimes({ options, flag }: RuleContext): string | undefined {
  const lease = flag("coordinated-leadership-lease-duration");
  const deadline = flag("coordinated-leadership-renew-deadline");
  const period = flag("coordinated-leadership-retry-period");
  const { coordinatedLeadershipLeaseDurationMs: leaseMs, coordinatedLeadershipRenewDeadlineMs: deadlineMs } =
    options;
  if (leaseMs <= deadlineMs) return `${lease}: must be greater than ${deadline}`;
  // A period of 0 would retry without pause.
  const periodMs = options.coordinatedLeadershipRetryPeriodMs;
  if (periodMs <= 0) return `${period}: must be greater than zero`;
  return deadlineMs <= periodMs ? `${deadline}: must be greater than ${period}` : undefined;
}

function watchCacheSizesNeedWatchCache({ options, flag }: RuleContext): string | undefined {
  return options.watchCacheSizes.length > 0 && !options.watchCache
    ? `${flag("watch-cache-sizes")}: has no effect with ${flag("watch-cache")}=false`
    : undefined;
}

/** Larger ranges would make the allocation record too big to store. Source: Kubernetes' `maxCIDRBits`. */
const serviceRangeBitsMax = 20;

/** If every address is an object and no bitmap is kept, ranges may have any size. */
function serviceRangeSizes({ options, flag }: RuleContext): string | undefined {
  const gates = new FeatureGates(options.featureGates, options.apiLevel);
  if (gates.isEnabled("MultiCIDRServiceAllocator") && gates.isEnabled("DisableAllocatorDualWrite"))
    return undefined;
  for (const [index, { family, prefixLength }] of options.serviceClusterIpRange.entries()) {
    const bits = family === 4 ? 32 : 128;
    if (bits - prefixLength > serviceRangeBitsMax) {
      return `specified ${flag("service-cluster-ip-range")}${index > 0 ? `[${index}]` : ""} is too large; for ${bits}-bit addresses, the mask must be >= ${bits - serviceRangeBitsMax}`;
    }
  }
  return undefined;
}

/** The service of the API server and its endpoints must have the same address family. */
function serviceAddressFamilies({ options, flag }: RuleContext): string | undefined {
  if (options.advertiseAddress === undefined || options.endpointReconcilerType === "none") return undefined;
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

/** For options of a program; on a command line, parsing refuses them. */
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
    new FeatureGates(options.featureGates, options.apiLevel).isEnabled("APIPriorityAndFairness");
  if (!on) return undefined;
  if (options.maxRequestsInflight + options.maxMutatingRequestsInflight <= 0) {
    return `${flag("max-requests-inflight")} and ${flag("max-mutating-requests-inflight")} must add up to more than 0 with ${flag("enable-priority-and-fairness")}`;
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
      ? `${flag("store-servers")} is given; start several servers instead`
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

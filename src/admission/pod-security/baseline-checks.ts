import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { allContainers } from "../../apis/core/pod-spec/containers.js";
import { safeSysctls } from "../../apis/core/pod-spec/safe-sysctls.js";
import type { SELinuxOptions } from "../../apis/gen/core-v1.js";
import {
  type Check,
  type CheckedPod,
  containersText,
  namesWhere,
  plural,
  quotedList,
  type Rule,
  settersText,
  sortedSet,
  unlessOwnUsers,
  unlessTrustedUsers,
  type Violation,
} from "./check.js";

const defaultCapabilities = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];
const safeSeLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];
const safeSeccompTypes: readonly string[] = ["Localhost", "RuntimeDefault"];

/** Parameters that became safe with a kernel version that everyone has now. */
const safeSysctlsByVersion: readonly { readonly since: number; readonly names: readonly string[] }[] = [
  { since: 0, names: safeSysctls },
  { since: 27, names: ["net.ipv4.ip_local_reserved_ports"] },
  {
    since: 29,
    names: [
      "net.ipv4.tcp_keepalive_time",
      "net.ipv4.tcp_fin_timeout",
      "net.ipv4.tcp_keepalive_intvl",
      "net.ipv4.tcp_keepalive_probes",
    ],
  },
  { since: 32, names: ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"] },
];

/** Source: the Kubernetes page "Pod Security Standards", the baseline profile. */
export const baselineChecks: readonly Check[] = [
  always("appArmorProfile", appArmorProfile),
  always("capabilities_baseline", capabilities),
  always("hostNamespaces", hostNamespaces),
  always("hostPathVolumes", hostPathVolumes),
  always("hostPorts", hostPorts),
  {
    id: "hostProbesAndHostLifecycle",
    level: "baseline",
    rules: [{ since: 34, rule: probeHosts }],
  },
  always("privileged", privileged),
  {
    id: "procMount",
    level: "baseline",
    rules: [
      { since: 0, rule: unlessTrustedUsers(procMount) },
      { since: 35, rule: unlessOwnUsers(procMount) },
    ],
  },
  {
    id: "seLinuxOptions",
    level: "baseline",
    rules: [
      { since: 0, rule: seLinuxOptions(safeSeLinuxTypes) },
      { since: 31, rule: seLinuxOptions([...safeSeLinuxTypes, "container_engine_t"]) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    level: "baseline",
    rules: [
      { since: 0, rule: seccompAnnotations },
      { since: 19, rule: seccompProfile },
    ],
  },
  {
    id: "sysctls",
    level: "baseline",
    rules: safeSysctlsByVersion.map(({ since }, index) => ({
      since,
      rule: sysctls(safeSysctlsByVersion.slice(0, index + 1).flatMap(({ names }) => names)),
    })),
  },
  always("windowsHostProcess", windowsHostProcess),
];

function always(id: string, rule: (pod: CheckedPod) => Violation | undefined): Check {
  return { id, level: "baseline", rules: [{ since: 0, rule }] };
}

const safeAppArmorTypes: readonly string[] = ["RuntimeDefault", "Localhost"];

function appArmorProfile(pod: CheckedPod): Violation | undefined {
  const { annotations, naming, spec, apiLevel } = pod;
  const types = new Set<string>();
  const isWrong = (type: string | undefined): boolean => {
    if (type === undefined || type === "" || safeAppArmorTypes.includes(type)) return false;
    types.add(type);
    return true;
  };
  const setters = settersText(
    isWrong(spec.securityContext?.appArmorProfile?.type),
    namesWhere(pod, ({ securityContext }) => isWrong(securityContext?.appArmorProfile?.type)),
  );
  const prefix = `container.apparmor.security.beta.${naming.domain}/`;
  const wrong = Object.entries(annotations)
    .filter(([key]) => key.startsWith(prefix))
    .filter(([, value]) => value !== "" && value !== "runtime/default" && !value.startsWith("localhost/"))
    .map(([key, value]) => `${key}="${value}"`)
    .sort();
  if (setters === undefined && wrong.length === 0) return undefined;
  const values = [...sortedSet(types), ...wrong];
  const reason = plural("forbidden AppArmor profile", values.length);
  if (!isAtLeast(apiLevel, "1.30")) return { reason, detail: wrong.join(", ") };
  const annotationsText = wrong.length === 0 ? undefined : plural("annotation", wrong.length);
  const who = [setters, annotationsText].filter((text) => text !== undefined).join(" and ");
  return { reason, detail: `${who} must not set AppArmor profile type to ${quotedList(values)}` };
}

function capabilities(pod: CheckedPod): Violation | undefined {
  return addedCapabilities(pod, defaultCapabilities, "non-default capabilities");
}

export function addedCapabilities(
  pod: CheckedPod,
  allowed: readonly string[],
  reason: string,
): Violation | undefined {
  const wrong = new Set<string>();
  const containers = namesWhere(pod, ({ securityContext }) => {
    const added = (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.includes(name));
    for (const name of added) wrong.add(name);
    return added.length > 0;
  });
  if (containers.length === 0) return undefined;
  const names = quotedList(sortedSet(wrong));
  return {
    reason,
    detail: `${containersText(containers)} must not include ${names} in securityContext.capabilities.add`,
  };
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((field) => `${field}=true`).join(", ") };
}

function hostPathVolumes({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural("volume", names.length)} ${quotedList(names)}` };
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const used = new Set<string>();
  const containers = namesWhere(pod, ({ ports = [] }) => {
    const taken = ports.map(({ hostPort = 0 }) => hostPort).filter((port) => port !== 0);
    for (const port of taken) used.add(String(port));
    return taken.length > 0;
  });
  if (containers.length === 0) return undefined;
  const what = plural("hostPort", used.size);
  const verb = containers.length === 1 ? "uses" : "use";
  return {
    reason: "hostPort",
    detail: `${containersText(containers)} ${verb} ${what} ${sortedSet(used).join(", ")}`,
  };
}

/** The host of a probe or hook may be any that the node reaches. */
function probeHosts(pod: CheckedPod): Violation | undefined {
  const hosts = new Set<string>();
  const containers = namesWhere(pod, ({ livenessProbe, readinessProbe, startupProbe, lifecycle }) => {
    const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
    const used = handlers
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .filter((host) => host !== undefined && host !== "");
    for (const host of used) hosts.add(host ?? "");
    return used.length > 0;
  });
  if (containers.length === 0) return undefined;
  const names = sortedSet(containers);
  const verb = names.length === 1 ? "uses" : "use";
  const what = plural("probe or lifecycle host", hosts.size);
  return {
    reason: "probe or lifecycle host",
    detail: `${containersText(names)} ${verb} ${what} ${quotedList(sortedSet(hosts))}`,
  };
}

function privileged(pod: CheckedPod): Violation | undefined {
  const containers = namesWhere(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (containers.length === 0) return undefined;
  return {
    reason: "privileged",
    detail: `${containersText(containers)} must not set securityContext.privileged=true`,
  };
}

export function procMount(pod: CheckedPod): Violation | undefined {
  const mounts = new Set<string>();
  const containers = namesWhere(pod, ({ securityContext }) => {
    const mount = securityContext?.procMount;
    if (mount === undefined || mount === "Default") return false;
    mounts.add(mount);
    return true;
  });
  if (containers.length === 0) return undefined;
  const detail = `${containersText(containers)} must not set securityContext.procMount to ${quotedList(sortedSet(mounts))}`;
  return { reason: "procMount", detail };
}

function seLinuxOptions(safeTypes: readonly string[]): Rule {
  return (pod) => wrongSeLinuxOptions(pod, safeTypes);
}

function wrongSeLinuxOptions(pod: CheckedPod, safeTypes: readonly string[]): Violation | undefined {
  const found = [pod.spec.securityContext, ...allContainers(pod.spec).map((c) => c.securityContext)]
    .map((context) => context?.seLinuxOptions)
    .filter((options) => options !== undefined);
  const isWrong = (options: SELinuxOptions | undefined): boolean =>
    options !== undefined &&
    (!safeTypes.includes(options.type ?? "") || (options.user ?? "") !== "" || (options.role ?? "") !== "");
  const setters = settersText(
    isWrong(pod.spec.securityContext?.seLinuxOptions),
    namesWhere(pod, ({ securityContext }) => isWrong(securityContext?.seLinuxOptions)),
  );
  if (setters === undefined) return undefined;
  const types = sortedSet(found.map(({ type = "" }) => type).filter((type) => !safeTypes.includes(type)));
  const wrong = [
    ...(types.length === 0 ? [] : [`${plural("type", types.length)} ${quotedList(types)}`]),
    ...(found.some(({ user = "" }) => user !== "") ? ["user may not be set"] : []),
    ...(found.some(({ role = "" }) => role !== "") ? ["role may not be set"] : []),
  ];
  return {
    reason: "seLinuxOptions",
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${wrong.join("; ")}`,
  };
}

/** For pods that predate the fields. */
function seccompAnnotations({ annotations, spec, naming }: CheckedPod): Violation | undefined {
  const stem = `seccomp.security.alpha.${naming.domain}`;
  const keys = [`${stem}/pod`, ...allContainers(spec).map(({ name }) => `container.${stem}/${name}`)];
  const wrong = sortedSet(
    keys.flatMap((key) => {
      const value = annotations[key];
      const isRight =
        value === undefined ||
        value === "runtime/default" ||
        value === "docker/default" ||
        value.startsWith("localhost/");
      return isRight ? [] : [`${key}="${value}"`];
    }),
  );
  if (wrong.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `forbidden ${plural("annotation", wrong.length)} ${wrong.join(", ")}`,
  };
}

export function seccompProfile(pod: CheckedPod): Violation | undefined {
  const wrong = new Set<string>();
  const isWrong = (type: string | undefined): boolean => {
    if (type === undefined || safeSeccompTypes.includes(type)) return false;
    wrong.add(type);
    return true;
  };
  const setters = settersText(
    isWrong(pod.spec.securityContext?.seccompProfile?.type),
    namesWhere(pod, ({ securityContext }) => isWrong(securityContext?.seccompProfile?.type)),
  );
  if (setters === undefined) return undefined;
  const types = quotedList(sortedSet(wrong));
  return {
    reason: "seccompProfile",
    detail: `${setters} must not set securityContext.seccompProfile.type to ${types}`,
  };
}

function sysctls(safe: readonly string[]): Rule {
  return ({ spec }) => {
    const wrong = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !safe.includes(name));
    return wrong.length === 0 ? undefined : { reason: "forbidden sysctls", detail: wrong.join(", ") };
  };
}

function windowsHostProcess(pod: CheckedPod): Violation | undefined {
  const setters = settersText(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    namesWhere(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true),
  );
  if (setters === undefined) return undefined;
  return {
    reason: "hostProcess",
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}

import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Volume } from "../../apis/gen/core-v1.js";
import { addedCapabilities, procMount, seccompProfile } from "./baseline-checks.js";
import {
  type Check,
  type CheckedPod,
  containersText,
  namesWhere,
  plural,
  quotedList,
  settersText,
  sortedSet,
  unlessOwnUsers,
  unlessTrustedUsers,
  unlessWindows,
  type Violation,
} from "./check.js";

const allowedVolumes: readonly string[] = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Source: the Kubernetes page "Pod Security Standards", the restricted profile. */
export const restrictedChecks: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    level: "restricted",
    rules: [
      { since: 8, rule: privilegeEscalation },
      { since: 25, rule: unlessWindows(privilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    level: "restricted",
    rules: [
      { since: 22, rule: capabilities },
      { since: 25, rule: unlessWindows(capabilities) },
    ],
    replaces: ["capabilities_baseline"],
  },
  {
    id: "procMount_restricted",
    level: "restricted",
    rules: [{ since: 35, rule: procMount }],
    replaces: ["procMount"],
  },
  {
    id: "restrictedVolumes",
    level: "restricted",
    rules: [{ since: 0, rule: volumes }],
    replaces: ["hostPathVolumes"],
  },
  {
    id: "runAsNonRoot",
    level: "restricted",
    rules: [
      { since: 0, rule: unlessTrustedUsers(runAsNonRoot) },
      { since: 35, rule: unlessOwnUsers(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    level: "restricted",
    rules: [
      { since: 23, rule: unlessTrustedUsers(runAsUser) },
      { since: 35, rule: unlessOwnUsers(runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    level: "restricted",
    rules: [
      { since: 19, rule: requiredSeccompProfile },
      { since: 25, rule: unlessWindows(requiredSeccompProfile) },
    ],
    replaces: ["seccompProfile_baseline"],
  },
];

function privilegeEscalation(pod: CheckedPod): Violation | undefined {
  const containers = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (containers.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersText(containers)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function capabilities(pod: CheckedPod): Violation | undefined {
  const keeping = namesWhere(
    pod,
    ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes("ALL"),
  );
  const reason = "unrestricted capabilities";
  const added = addedCapabilities(pod, ["NET_BIND_SERVICE"], reason);
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(added === undefined ? [] : [added.detail]),
  ];
  return details.length === 0 ? undefined : { reason, detail: details.join("; ") };
}

function volumes({ spec, apiLevel }: CheckedPod): Violation | undefined {
  const allowed = isAtLeast(apiLevel, "1.33") ? [...allowedVolumes, "image"] : allowedVolumes;
  const wrong = (spec.volumes ?? [])
    .map((volume) => ({ name: volume.name, type: typeOf(volume) }))
    .filter(({ type }) => !allowed.includes(type))
    // Before the type was allowed, the check did not recognize it.
    .map(({ name, type }) => ({ name, type: type === "image" ? "unknown" : type }));
  if (wrong.length === 0) return undefined;
  const types = sortedSet(wrong.map(({ type }) => type));
  const names = quotedList(wrong.map(({ name }) => name));
  const verb = wrong.length === 1 ? "uses" : "use";
  const what = plural("restricted volume type", types.length);
  return {
    reason: "restricted volume types",
    detail: `${plural("volume", wrong.length)} ${names} ${verb} ${what} ${quotedList(types)}`,
  };
}

/** The field with the volume's source. */
function typeOf({ name: _, ...sources }: Volume): string {
  return Object.entries(sources).find(([, source]) => source !== undefined)?.[0] ?? "unknown";
}

function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const reason = "runAsNonRoot != true";
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const setters = settersText(
    ofPod === false,
    namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  if (setters !== undefined) {
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  }
  if (ofPod === true) return undefined;
  const silent = namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(pod: CheckedPod): Violation | undefined {
  const isRoot = (user: number | bigint | undefined): boolean => user !== undefined && Number(user) === 0;
  const setters = settersText(
    isRoot(pod.spec.securityContext?.runAsUser),
    namesWhere(pod, ({ securityContext }) => isRoot(securityContext?.runAsUser)),
  );
  return setters === undefined
    ? undefined
    : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
}

function requiredSeccompProfile(pod: CheckedPod): Violation | undefined {
  const wrong = seccompProfile(pod);
  if (wrong !== undefined) return wrong;
  if (pod.spec.securityContext?.seccompProfile !== undefined) return undefined;
  const silent = namesWhere(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { Quantity } from "../../../apimachinery/values/quantity.js";
import {
  isExtendedResource,
  isHugePageResource,
  isQuotaHugePageResource,
} from "../../checks/resource-names.js";
import type { Container, ContainerStatus, Pod, PodAffinityTerm, PodSpec } from "../../gen/core-v1.js";
import { isSidecar } from "../pod-spec/containers.js";
import { podTotal, raiseTo } from "../pod-spec/pod-requests.js";
import { qosClassOf } from "../pod-spec/qos-class.js";
import { type Amounts, addTo, one, readAmounts } from "./amounts.js";
import {
  type Measure,
  matchesName,
  nothingUnstated,
  type QuotaEvaluator,
  type QuotaLevel,
} from "./evaluator.js";
import { deviceClassPrefix } from "./extended-devices.js";

/** Resources whose limits are counted too, not only their requests. */
const computed: readonly string[] = ["cpu", "memory", "ephemeral-storage"];
const counted: ReadonlySet<string> = new Set([
  "count/pods",
  "pods",
  ...computed.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** When a quota limits one of these, each container must specify it. */
const required = ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);

/** Pod-level resources besides huge pages. */
const stateable: ReadonlySet<string> = new Set(["cpu", "memory"]);

/** Counts pods, and the requests and limits of their containers. Terminated pods only count as objects. */
export function podEvaluator({ naming, level, isEnabled }: QuotaLevel): QuotaEvaluator<Pod> {
  const followsDeadline = isAtLeast(level, "1.33");
  const resizes = isAtLeast(level, "1.32");
  const resizesByUpdate = !resizes && isEnabled("InPlacePodVerticalScaling");
  const countsActual = isAtLeast(level, "1.33") && isEnabled("InPlacePodVerticalScaling");
  const overheadNeedsLimit = isAtLeast(level, "1.27");
  const statesForPods = isEnabled("PodLevelResources");
  const classPrefix = isAtLeast(level, "1.35") ? deviceClassPrefix(naming) : undefined;
  const isDevice = (name: string) =>
    isExtendedResource(name, naming) || (classPrefix !== undefined && name.startsWith(classPrefix));
  const usageOf = (requests: Amounts, limits: Amounts) => computeUsage(requests, limits, isDevice);
  return {
    measuresUpdate({ subresource, object, old }) {
      if (subresource === "resize") return resizes;
      if (subresource !== "") return false;
      // A pod that gets a deadline moves to the quotas of another scope.
      return resizesByUpdate || (followsDeadline && isTerminating(object) !== isTerminating(old));
    },
    counts: (name) =>
      counted.has(name) ||
      isQuotaHugePageResource(name) ||
      (name.startsWith("requests.") && isDevice(name.slice("requests.".length))),
    measure(pod, now) {
      const usage = new Map([["count/pods", one]]);
      const endsAt = endOf(pod);
      if (endsAt === undefined || now <= endsAt) {
        const [requestsOf, limitsOf] = countsActual ? actualAmounts(pod) : [];
        const requests = podTotal(pod.spec, "requests", { amountsOf: requestsOf });
        const limits = podTotal(pod.spec, "limits", {
          // Other limits are not counted, and a pod may have tens of thousands.
          names: computed,
          amountsOf: limitsOf,
          overheadNeedsLimit,
        });
        addTo(usage, usageOf(requests, limits));
      }
      return measureOf(pod, usage, endsAt !== undefined && now <= endsAt ? endsAt : undefined);
    },
    unstated({ spec }) {
      if (statesForPods && isStatedForPod(spec)) return nothingUnstated;
      const { containers = [], initContainers = [] } = spec;
      const stated = [...containers, ...initContainers].map((container) => ({
        container: container.name,
        usage: usageOf(...amountsOf(container)),
      }));
      const unstated = new Map<string, readonly string[]>();
      for (const name of required) {
        const lacking = stated.filter(({ usage }) => !usage.has(name)).map(({ container }) => container);
        if (lacking.length > 0) unstated.set(name, lacking);
      }
      return unstated;
    },
  };
}

/**
 * When a pod stopped counting, in milliseconds since the epoch; includes pods whose grace period has passed. Undefined for one that
 * runs.
 */
function endOf({ status, metadata }: Pod): number | undefined {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return Number.NEGATIVE_INFINITY;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return undefined;
  return Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

type AmountsOf = (container: Container) => Amounts;

/** What containers count for during a resize: the highest of the desired, the actual and the allocated amounts. */
function actualAmounts({ spec, status }: Pod): [requestsOf: AmountsOf, limitsOf: AmountsOf] {
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const initial = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  const statuses = new Map<string, ContainerStatus>();
  for (const told of [...(status?.containerStatuses ?? []), ...initial]) {
    if (told.resources !== undefined) statuses.set(told.name, told);
  }
  const pending = status?.conditions?.find(({ type }) => type === "PodResizePending");
  // An infeasible resize is not counted.
  const countsWanted = pending?.reason !== "Infeasible";
  return [amountsBy("requests"), amountsBy("limits", computed)];

  function amountsBy(list: "requests" | "limits", names?: readonly string[]): AmountsOf {
    return (container) => {
      const told = statuses.get(container.name);
      const wanted = readAmounts(container.resources?.[list], names);
      if (told === undefined) return wanted;
      const amounts = new Map(countsWanted ? wanted : []);
      raiseTo(amounts, readAmounts(told.resources?.[list], names));
      if (list === "requests") raiseTo(amounts, readAmounts(told.allocatedResources, names));
      return amounts;
    };
  }
}

function amountsOf({ resources }: Container): [Amounts, Amounts] {
  return [readAmounts(resources?.requests), readAmounts(resources?.limits, computed)];
}

function computeUsage(requests: Amounts, limits: Amounts, isDevice: (name: string) => boolean): Amounts {
  const usage = new Map<string, Quantity>([["pods", one]]);
  for (const [name, amount] of requests) {
    if (computed.includes(name) || isHugePageResource(name)) {
      usage.set(name, amount);
      usage.set(`requests.${name}`, amount);
    } else if (isDevice(name)) {
      usage.set(`requests.${name}`, amount);
    }
  }
  for (const [name, amount] of limits) usage.set(`limits.${name}`, amount);
  return usage;
}

/** Whether pod-level resources are set, so that containers need not have any. */
function isStatedForPod({ resources }: PodSpec): boolean {
  return [resources?.requests, resources?.limits].some((list) =>
    Object.keys(list ?? {}).some((name) => stateable.has(name) || isHugePageResource(name)),
  );
}

function isTerminating({ spec }: Pod): boolean {
  return spec.activeDeadlineSeconds !== undefined && Number(spec.activeDeadlineSeconds) >= 0;
}

function measureOf(pod: Pod, usage: Amounts, changesAt: number | undefined): Measure {
  // The closure must not retain the pod, because usages are cached.
  const { spec } = pod;
  const { priorityClassName = "" } = spec;
  const hasDeadline = isTerminating(pod);
  const isBestEffort = qosClassOf(spec) === "BestEffort";
  const isCrossNamespace = hasCrossNamespaceTerm(spec);
  return {
    usage,
    changesAt,
    matchesScope(requirement) {
      switch (requirement.scopeName) {
        case "Terminating":
          return hasDeadline;
        case "NotTerminating":
          return !hasDeadline;
        case "BestEffort":
          return isBestEffort;
        case "NotBestEffort":
          return !isBestEffort;
        case "CrossNamespacePodAffinity":
          return isCrossNamespace;
        case "PriorityClass":
          return matchesName(priorityClassName, requirement);
        default:
          return false;
      }
    },
  };
}

function hasCrossNamespaceTerm({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((rules) => {
    const terms: PodAffinityTerm[] = [
      ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ];
    return terms.some(
      ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
    );
  });
}

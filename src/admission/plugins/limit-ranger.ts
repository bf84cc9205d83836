import { addToList } from "../../apimachinery/collections/groups.js";
import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import { requestTooLarge } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import { containersTotal } from "../../apis/core/pod-spec/pod-requests.js";
import { type Amounts, readAmounts } from "../../apis/core/resource-quota/amounts.js";
import type { Container, LimitRange, PersistentVolumeClaim, Pod } from "../../apis/gen/core-v1.js";
import { namespaceOfKey } from "../../informers/informer-index.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import {
  type LimitedUsage,
  maximumProblem,
  maximumRequestProblem,
  minimumProblem,
  ratioProblem,
} from "../checks/limit-checks.js";
import { podWriteOf } from "../checks/pod-writes.js";
import { type WriteOf, writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

interface LimitView {
  readonly type: string;
  readonly min: Amounts;
  readonly max: Amounts;
  readonly ratio: Amounts;
}

interface LimitRangeView {
  readonly limits: readonly LimitView[];
  /** Defaults for containers without their own. */
  readonly requests: readonly (readonly [string, string])[];
  readonly defaults: readonly (readonly [string, string])[];
}

/** What depends on the level. */
interface Rules {
  /** Whether a resize is limited as a new pod is. */
  readonly resizes: boolean;
  /** Whether pod totals include the requests of all containers, with sidecars running beside the regular ones. */
  readonly knowsSidecars: boolean;
  /** Whether pod-level resources are taken into account. */
  readonly statesForPods: boolean;
}

const noAmounts: Amounts = new Map();

/** Resources that may be pod-level. */
const stateable: readonly string[] = ["cpu", "memory"];

/**
 * Values that limit ranges may set in one pod, more than any real pod has. Kubernetes has no limit, but a small pod may have a thousand
 * containers, and a limit range as many resources.
 */
const defaultsMax = 20_000;
/** How many different problems an answer names. */
const problemsMax = 1000;

/** Sets the defaults of the namespace's limit ranges on containers, and enforces the limits on pods and claims. */
export function limitRanger(
  context: Pick<PluginContext, "naming" | "cluster" | "level" | "isEnabled">,
): AdmissionPlugin {
  const { naming, cluster, level } = context;
  const annotation = `${naming.domain}/limit-ranger`;
  const rules: Rules = {
    resizes: isAtLeast(level, "1.32"),
    knowsSidecars: isAtLeast(level, "1.28"),
    statesForPods: isAtLeast(level, "1.32") && context.isEnabled("PodLevelResources"),
  };
  const writesClaim = writesOf("persistentvolumeclaims", naming);
  const limitRanges = cluster.follow("limitranges", {
    view: (stored) => viewOf(stored.decode()),
    indexes: { namespace: (_view, key) => [namespaceOfKey(key)] },
  });
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      const pod = limitedPodOf(attributes, rules);
      if (pod === undefined) return;
      for (const limitRange of limitRanges.find("namespace", attributes.namespace)) {
        setDefaults(pod, limitRange, annotation);
      }
    },
    validate(attributes) {
      const pod = limitedPodOf(attributes, rules);
      const claim = writesClaim(attributes) ? limitedClaimOf(attributes) : undefined;
      if (pod === undefined && claim === undefined) return;
      const views = [...limitRanges.find("namespace", attributes.namespace)];
      if (views.length === 0) return;
      const usages = pod === undefined ? claimUsages(claim) : podUsages(pod, rules);
      for (const { limits } of views) {
        const problems = problemsOf(limits, usages);
        if (problems.size > 0) throw refused(attributes, aggregateText(problems));
      }
    },
  };
}

function viewOf({ spec }: LimitRange): LimitRangeView {
  const limits = spec?.limits ?? [];
  const ofContainers = limits.filter(({ type }) => type === "Container");
  const merged = (pick: "default" | "defaultRequest") =>
    Object.entries(
      Object.assign({}, ...ofContainers.map((limit) => limit[pick] ?? {})) as Record<string, string>,
    );
  return {
    limits: limits.map(({ type, min, max, maxLimitRequestRatio }) => ({
      type,
      min: sorted(readAmounts(min)),
      max: sorted(readAmounts(max)),
      ratio: sorted(readAmounts(maxLimitRequestRatio)),
    })),
    requests: merged("defaultRequest"),
    defaults: merged("default"),
  };
}

/** Sorted, so that the same pod always gets the same message. */
function sorted(amounts: Amounts): Amounts {
  return new Map([...amounts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The pod of a create or resize: no other write changes container resources. */
function limitedPodOf(attributes: AdmissionAttributes, { resizes }: Rules): Pod | undefined {
  const { operation, subresource, oldObject } = attributes;
  if (operation === "CREATE") return podWriteOf(attributes)?.pod;
  if (!resizes || subresource !== "resize" || oldObject?.metadata.deletionTimestamp !== undefined) {
    return undefined;
  }
  return podWriteOf(attributes, ["resize"])?.pod;
}

/** None for a claim that is being deleted: removing its finalizers must stay possible. */
function limitedClaimOf({
  object,
  oldObject,
}: WriteOf<PersistentVolumeClaim>): PersistentVolumeClaim | undefined {
  return oldObject?.metadata.deletionTimestamp === undefined ? object : undefined;
}

function setDefaults(pod: Pod, limitRange: LimitRangeView, annotation: string): void {
  const { containers = [], initContainers = [] } = pod.spec;
  const values = limitRange.requests.length + limitRange.defaults.length;
  if (values * (containers.length + initContainers.length) > defaultsMax) {
    throw requestTooLarge(
      `Request entity too large: the defaults of a limit range are more than ${defaultsMax} values for the containers of this pod`,
    );
  }
  const done = [
    ...containers.flatMap((container) => fill(container, "container", limitRange)),
    ...initContainers.flatMap((container) => fill(container, "init container", limitRange)),
  ];
  if (done.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${done.join("; ")}`,
  };
}

/** Describes the values that were set. */
function fill(container: Container, kind: string, { requests, defaults }: LimitRangeView): string[] {
  const { resources } = container;
  const done: string[] = [];
  for (const [field, word, values] of [
    ["requests", "request", requests],
    ["limits", "limit", defaults],
  ] as const) {
    const missing = values.filter(([name]) => resources[field]?.[name] === undefined);
    if (missing.length === 0) continue;
    resources[field] = { ...resources[field], ...Object.fromEntries(missing) };
    const names = missing.map(([name]) => name).sort();
    done.push(`${names.join(", ")} ${word} for ${kind} ${container.name}`);
  }
  return done;
}

/** The usages that limits of each type are compared with. */
type Usages = ReadonlyMap<string, ComparedUsages>;

/** The usages of one type, by the resources that they state. A limit range and a pod may each name thousands. */
class ComparedUsages {
  readonly isClaim: boolean;
  readonly #usages: readonly LimitedUsage[];
  /** The indexes of the usages that state a resource, in order. */
  readonly #stating = new Map<string, number[]>();

  constructor(usages: readonly LimitedUsage[], isClaim = false) {
    this.#usages = usages;
    this.isClaim = isClaim;
    for (const [index, { requests, limits }] of usages.entries()) {
      for (const name of requests.keys()) addToList(this.#stating, name, index);
      for (const name of limits.keys()) if (!requests.has(name)) addToList(this.#stating, name, index);
    }
  }

  /** The indexes of the usages that may differ in the resource: all that state it, and the first that does not. */
  differingIn(name: string): readonly number[] {
    const stating = this.#stating.get(name) ?? [];
    let without = 0;
    while (stating[without] === without) without++;
    return without < this.#usages.length ? [...stating, without] : stating;
  }

  at(index: number): LimitedUsage | undefined {
    return this.#usages[index];
  }
}

function podUsages({ spec }: Pod, rules: Rules): Usages {
  const { containers = [], initContainers = [], resources } = spec;
  const usageOf = (container: Container): LimitedUsage => ({
    type: "Container",
    requests: readAmounts(container.resources.requests),
    limits: readAmounts(container.resources.limits),
  });
  const [regular, init] = [containers.map(usageOf), initContainers.map(usageOf)];
  const usages = [...regular, ...init];
  const byContainer = new Map([...containers, ...initContainers].map((each, index) => [each, usages[index]]));
  const totalOf = (list: "requests" | "limits"): Amounts => {
    if (!rules.knowsSidecars) return podAmounts(regular, init, list);
    const total = containersTotal(spec, list, {
      amountsOf: (each) => byContainer.get(each)?.[list] ?? noAmounts,
    });
    const stated = rules.statesForPods ? readAmounts(resources?.[list], stateable) : [];
    for (const [name, amount] of stated) total.set(name, amount);
    return total;
  };
  const whole: LimitedUsage = { type: "Pod", requests: totalOf("requests"), limits: totalOf("limits") };
  return new Map([
    ["Container", new ComparedUsages(usages)],
    ["Pod", new ComparedUsages([whole])],
  ]);
}

function claimUsages(claim: PersistentVolumeClaim | undefined): Usages {
  const type = "PersistentVolumeClaim";
  const usage = { type, requests: readAmounts(claim?.spec.resources?.requests), limits: new Map() };
  return new Map([[type, new ComparedUsages([usage], true)]]);
}

/** As many different problems as an answer names, in the order of the usages. */
function problemsOf(limits: readonly LimitView[], usages: Usages): ReadonlySet<string> {
  const problems = new Set<string>();
  for (const limit of limits) {
    const compared = usages.get(limit.type);
    if (compared === undefined) continue;
    for (const { problem } of foundProblems(limit, compared).sort((a, b) => a.index - b.index)) {
      problems.add(problem);
      if (problems.size >= problemsMax) return problems;
    }
  }
  return problems;
}

interface FoundProblem {
  /** Of the usage. */
  readonly index: number;
  readonly problem: string;
}

function foundProblems({ min, max, ratio }: LimitView, compared: ComparedUsages): FoundProblem[] {
  const found: FoundProblem[] = [];
  const look = (bounds: Amounts, problemOf: typeof minimumProblem): void => {
    for (const [name, bound] of bounds) {
      for (const index of compared.differingIn(name)) {
        const usage = compared.at(index);
        const problem = usage && problemOf(usage, name, bound);
        if (problem !== undefined) found.push({ index, problem });
      }
    }
  };
  look(min, minimumProblem);
  look(max, compared.isClaim ? maximumRequestProblem : maximumProblem);
  if (!compared.isClaim) look(ratio, ratioProblem);
  return found;
}

/** The sum over the regular containers for resources that all of them state, or the largest init container's amount if that is more. */
function podAmounts(
  regular: readonly LimitedUsage[],
  init: readonly LimitedUsage[],
  list: "requests" | "limits",
): Amounts {
  const totals = new Map<string, { amount: Quantity; count: number }>();
  for (const [name, amount] of regular.flatMap((usage) => [...usage[list]])) {
    const total = totals.get(name);
    totals.set(name, { amount: total?.amount.add(amount) ?? amount, count: (total?.count ?? 0) + 1 });
  }
  const result = new Map<string, Quantity>();
  for (const [name, { amount, count }] of totals) if (count === regular.length) result.set(name, amount);
  for (const [name, amount] of init.flatMap((usage) => [...usage[list]])) {
    if ((result.get(name) ?? Quantity.zero).compare(amount) < 0 || !result.has(name))
      result.set(name, amount);
  }
  return result;
}

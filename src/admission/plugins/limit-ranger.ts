import { Quantity } from "../../apimachinery/quantity.js";
import type { Container, LimitRange, PersistentVolumeClaim, Pod } from "../../apis/gen/core-v1.js";
import { namespaceOfKey } from "../../informers/informer-index.js";
import type { AdmissionAttributes } from "../admission-attributes.js";
import type { AdmissionPlugin } from "../admission-plugin.js";
import {
  type Amounts,
  amountsOf,
  type LimitedUsage,
  maximumProblem,
  maximumRequestProblem,
  minimumProblem,
  ratioProblem,
} from "../limit-checks.js";
import type { PluginContext } from "../plugin-context.js";
import { podWriteOf } from "../pod-writes.js";
import { refused } from "../refusal.js";

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

type Check = (usage: LimitedUsage, resource: string, bound: Quantity) => string | undefined;

/** Sets the defaults of the namespace's limit ranges on containers, and enforces the limits on pods and claims. */
export function limitRanger({ naming, cluster }: Pick<PluginContext, "naming" | "cluster">): AdmissionPlugin {
  const annotation = `${naming.domain}/limit-ranger`;
  const limitRanges = cluster.follow("limitranges", {
    view: (stored) => viewOf(stored.decode()),
    indexes: { namespace: (_view, key) => [namespaceOfKey(key)] },
  });
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      const pod = newPodOf(attributes);
      if (pod === undefined) return;
      for (const limitRange of limitRanges.find("namespace", attributes.namespace)) {
        setDefaults(pod, limitRange, annotation);
      }
    },
    validate(attributes) {
      const pod = newPodOf(attributes);
      const claim = claimOf(attributes);
      if (pod === undefined && claim === undefined) return;
      for (const { limits } of limitRanges.find("namespace", attributes.namespace)) {
        const problems = limits.flatMap((limit) => [
          ...(pod === undefined ? [] : podProblems(pod, limit)),
          ...(claim === undefined ? [] : claimProblems(claim, limit)),
        ]);
        const texts = [...new Set(problems)];
        if (texts.length > 0) {
          throw refused(attributes, texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`);
        }
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
      min: sorted(amountsOf(min)),
      max: sorted(amountsOf(max)),
      ratio: sorted(amountsOf(maxLimitRequestRatio)),
    })),
    requests: merged("defaultRequest"),
    defaults: merged("default"),
  };
}

/** Sorted, so that the same pod always gets the same message. */
function sorted(amounts: Amounts): Amounts {
  return new Map([...amounts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The containers of an existing pod cannot change. */
function newPodOf(attributes: AdmissionAttributes): Pod | undefined {
  return attributes.operation === "CREATE" ? podWriteOf(attributes)?.pod : undefined;
}

/** Undefined for a pod that is being deleted: removing its finalizers must stay possible. */
function claimOf({ resource, subresource, object, oldObject }: AdmissionAttributes) {
  if (resource.resource !== "persistentvolumeclaims" || resource.group !== "" || subresource !== "") {
    return undefined;
  }
  if (oldObject?.metadata.deletionTimestamp !== undefined) return undefined;
  return object as PersistentVolumeClaim; // what the resource is written as
}

function setDefaults(pod: Pod, limitRange: LimitRangeView, annotation: string): void {
  const done = [
    ...(pod.spec.containers ?? []).flatMap((container) => fill(container, "container", limitRange)),
    ...(pod.spec.initContainers ?? []).flatMap((container) => fill(container, "init container", limitRange)),
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

function podProblems(pod: Pod, limit: LimitView): string[] {
  const { containers = [], initContainers = [] } = pod.spec;
  const usageOf = ({ resources }: Container): LimitedUsage => ({
    type: limit.type,
    requests: amountsOf(resources.requests),
    limits: amountsOf(resources.limits),
  });
  if (limit.type === "Container") {
    return [...containers, ...initContainers].flatMap((container) =>
      problemsOf(usageOf(container), limit, maximumProblem),
    );
  }
  if (limit.type !== "Pod") return [];
  const [regular, init] = [containers.map(usageOf), initContainers.map(usageOf)];
  return problemsOf(
    {
      type: limit.type,
      requests: podAmounts(regular, init, ({ requests }) => requests),
      limits: podAmounts(regular, init, ({ limits }) => limits),
    },
    limit,
    maximumProblem,
  );
}

function claimProblems({ spec }: PersistentVolumeClaim, limit: LimitView): string[] {
  if (limit.type !== "PersistentVolumeClaim") return [];
  const usage = { type: limit.type, requests: amountsOf(spec.resources?.requests), limits: new Map() };
  return problemsOf(usage, { ...limit, ratio: new Map() }, maximumRequestProblem);
}

function problemsOf(usage: LimitedUsage, { min, max, ratio }: LimitView, maximum: Check): string[] {
  const check = (bounds: Amounts, problem: Check): string[] =>
    [...bounds].map(([name, bound]) => problem(usage, name, bound)).filter((text) => text !== undefined);
  return [...check(min, minimumProblem), ...check(max, maximum), ...check(ratio, ratioProblem)];
}

/**
 * The sum over the regular containers of resources that all of them state, or the largest init container's amount if that is more.
 */
function podAmounts(
  regular: readonly LimitedUsage[],
  init: readonly LimitedUsage[],
  pick: (usage: LimitedUsage) => Amounts,
): Amounts {
  const totals = new Map<string, { amount: Quantity; count: number }>();
  for (const [name, amount] of regular.flatMap((usage) => [...pick(usage)])) {
    const total = totals.get(name);
    totals.set(name, { amount: total?.amount.add(amount) ?? amount, count: (total?.count ?? 0) + 1 });
  }
  const result = new Map<string, Quantity>();
  for (const [name, { amount, count }] of totals) if (count === regular.length) result.set(name, amount);
  for (const [name, amount] of init.flatMap((usage) => [...pick(usage)])) {
    if ((result.get(name) ?? Quantity.zero).compare(amount) < 0 || !result.has(name))
      result.set(name, amount);
  }
  return result;
}

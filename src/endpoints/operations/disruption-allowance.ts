import { forbiddenError, StatusError } from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { withCondition } from "../../apimachinery/objects/conditions.js";
import { storedLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { partStrategy } from "../../apis/definition/resource-definition.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { Condition } from "../../apis/gen/meta-v1.js";
import type { PodDisruptionBudget } from "../../apis/gen/policy-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { WriteScope } from "../../request/write-scope.js";
import { refusedDisruption } from "./refused-disruption.js";

export interface BudgetParts {
  readonly budgets: () => ResourceRegistry<PodDisruptionBudget>;
  readonly level: ApiLevel;
  /** The field manager of the server's own writes. */
  readonly fieldManager: string;
}

/** Limit of allowed disruptions that a budget's controller has not yet seen; beyond it, the controller seems not to run. */
const disruptedPodsMax = 2000;
const retryAfterSeconds = 10;

/** Why a pod may be evicted. */
type Allowance =
  /** No budget applies, or one allowed it. */
  | { readonly kind: "given" }
  /**
   * The pod was pending or not ready, so it is not counted, but may become ready meanwhile. `budget` is the one that did not count it.
   */
  | { readonly kind: "asSeen"; readonly budget: string | undefined };

const given: Allowance = { kind: "given" };

/** Whether the pod may be evicted; its budget then counts the disruption. Throws 429 if the budget allows none. */
export async function allowanceFor(parts: BudgetParts, context: WriteScope, pod: Pod): Promise<Allowance> {
  const phase = pod.status.phase ?? "";
  // A pod that has finished or is being deleted disrupts nothing.
  if (pod.metadata.deletionTimestamp !== undefined || phase === "Succeeded" || phase === "Failed")
    return given;
  if (phase === "Pending") return { kind: "asSeen", budget: undefined };
  return await takeFromBudget(parts, context, pod);
}

async function takeFromBudget(parts: BudgetParts, context: WriteScope, pod: Pod): Promise<Allowance> {
  const budgets = await budgetsOf(parts, pod);
  const [budget, second] = budgets;
  if (budget === undefined) return given;
  if (second !== undefined) {
    throw new StatusError({
      message:
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
      code: 500,
    });
  }
  // An unready pod may be evicted if enough others are healthy, or always if the budget says so.
  const { currentHealthy, desiredHealthy } = budget.status;
  const isAlwaysAllowed = budget.spec.unhealthyPodEvictionPolicy === "AlwaysAllow";
  if (!isReady(pod) && (isAlwaysAllowed || (currentHealthy >= desiredHealthy && desiredHealthy > 0))) {
    return { kind: "asSeen", budget: budget.metadata.name ?? "" };
  }
  const registry = parts.budgets();
  const strategy = partStrategy(registry.definition, "status");
  const disruption = { pod, now: context.now, level: parts.level };
  const take = (object: PodDisruptionBudget): void => decrement(object, disruption);
  // Kubernetes updates the budget as a client, with its own field manager.
  const { fieldManager } = parts;
  await registry.change(
    context.as({ version: "v1", fieldManager, subresource: "" }),
    budget.metadata.name ?? "",
    take,
    { strategy },
  );
  return given;
}

async function budgetsOf(parts: BudgetParts, pod: Pod): Promise<PodDisruptionBudget[]> {
  const prefix = `${pod.metadata.namespace ?? ""}/`;
  const { items } = await parts.budgets().list({ prefix, at: { kind: "mostRecent" }, limit: 0 });
  return items
    .map((stored) => stored.decode())
    .filter(({ spec }) => storedLabelSelector(spec.selector).matches(pod.metadata.labels));
}

interface Disruption {
  readonly pod: Pod;
  readonly now: Date;
  readonly level: ApiLevel;
}

function decrement(budget: PodDisruptionBudget, { pod, now, level }: Disruption): void {
  const { status, metadata } = budget;
  const name = metadata.name ?? "";
  if (Number(status.observedGeneration ?? 0) < Number(metadata.generation ?? 0)) {
    throw stillProcessed(name);
  }
  // "One", in Kubernetes' words.
  const subject = { group: "policy", resource: "poddisruptionbudget" };
  if (status.disruptionsAllowed < 0)
    throw forbiddenError(subject, name, "pdb disruptions allowed is negative");
  if (Object.keys(status.disruptedPods ?? {}).length > disruptedPodsMax) {
    throw forbiddenError(
      subject,
      name,
      "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
    );
  }
  if (status.disruptionsAllowed === 0) {
    throw wouldViolate(refusedDisruption(budget, level), 0);
  }
  status.disruptionsAllowed--;
  if (status.disruptionsAllowed === 0) {
    // Updates the condition at once, because the controller may notice only later that no disruption is left.
    const { conditions, observedGeneration } = status;
    const condition = { ...noneAllowed, observedGeneration };
    status.conditions = withCondition<Condition>(conditions, condition, timestamp(now));
  }
  status.disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? ""]: timestamp(now) };
}

const noneAllowed = {
  type: "DisruptionAllowed",
  status: "False",
  reason: "InsufficientPods",
  message: "",
};

/** 429: the budget's controller has not caught up. */
export function stillProcessed(budget: string): StatusError {
  return wouldViolate(
    `The disruption budget ${budget} is still being processed by the server.`,
    retryAfterSeconds,
  );
}

function wouldViolate(cause: string, retrySeconds: number): StatusError {
  return new StatusError({
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    reason: "TooManyRequests",
    details: {
      causes: [{ reason: "DisruptionBudget", message: cause }],
      ...(retrySeconds > 0 && { retryAfterSeconds: retrySeconds }),
    },
    code: 429,
  });
}

function isReady(pod: Pod): boolean {
  return (pod.status.conditions ?? []).some((c) => c.type === "Ready" && c.status === "True");
}

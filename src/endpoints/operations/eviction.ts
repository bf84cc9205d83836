import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import {
  badRequest,
  forbiddenError,
  invalidObject,
  isStatus,
  StatusError,
} from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { withCondition } from "../../apimachinery/objects/conditions.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { storedLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { partStrategy } from "../../apis/definition/resource-definition.js";
import type { Pod, PodCondition } from "../../apis/gen/core-v1.js";
import type { Condition } from "../../apis/gen/meta-v1.js";
import type { Eviction, PodDisruptionBudget } from "../../apis/gen/policy-v1.js";
import { checkPreconditions } from "../../registry/generic/before-delete.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { RegistryContext } from "../../registry/generic/registry-context.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { bodyType, decodeBody } from "../bodies/decode-object.js";
import type { ApiResult } from "../resource/api-result.js";
import { settleCreatedMetadata } from "../resource/created-metadata.js";
import type { OperationHandler } from "../resource/operation.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import { deleteOptionsIn, writeOf, writeOptionsOf } from "../resource/write-options.js";
import { admitCreatedValue } from "./admit-created-value.js";
import { refusedDisruption } from "./refused-disruption.js";

export interface EvictionParts {
  readonly pods: () => ResourceRegistry<Pod>;
  readonly budgets: () => ResourceRegistry<PodDisruptionBudget>;
  readonly codec: Codec<Eviction>;
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
  readonly level: ApiLevel;
  /** Whether a pod's status says why it is deleted. */
  readonly tellsDisruption: boolean;
}

/** How many pods a budget may allow to disrupt before its controller has seen their deletion; beyond it, no controller seems to run. */
const disruptedPodsMax = 2000;
const retryAfterSeconds = 10;
/** Attempts for a pod that keeps changing. */
const attemptsMax = 20;

/**
 * POST to a pod's `eviction`: a delete that respects the pod's disruption budget. 429 when the budget currently allows none. Source:
 * Kubernetes' eviction REST storage.
 */
export function evictPod(parts: EvictionParts): OperationHandler {
  const type = bodyType(parts.codec, { apiVersion: "policy/v1", kind: "Eviction" }, ["policy/v1beta1"]);
  return async (request): Promise<ApiResult> => {
    const query = writeOptionsOf(request, "CreateOptions", parts.settings);
    const eviction = await decodeBody(type, parts.settings, request);
    settleCreatedMetadata(eviction.metadata, request.info, parts.level);
    const { name } = request.info;
    if ((eviction.metadata.name ?? "") !== name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    refuseUnsafeDeletion(eviction);
    const options = deleteOptionsIn(eviction.deleteOptions, parts.settings);
    const dryRun = query.dryRun || (options.dryRun?.length ?? 0) > 0;
    const context = writeOf(request, dryRun);
    await admitCreatedValue(parts.admission, request, context, {
      kind: { group: "policy", version: "v1", kind: "Eviction" },
      object: eviction,
      codec: parts.codec,
      options: query,
    });
    await evict(parts, context, name, options);
    return { kind: "status", code: 201, status: { metadata: {}, status: "Success", code: 201 } };
  };
}

/** An object that cannot be read has no budget to ask. */
function refuseUnsafeDeletion({ metadata, deleteOptions }: Eviction): void {
  const field = "ignoreStoreReadErrorWithClusterBreakingPotential";
  if (deleteOptions?.[field] !== true) return;
  const reason = "can not be set for pod eviction, try after removing the option";
  throw invalidObject({ group: "policy", kind: "Eviction" }, metadata.name ?? "", [
    invalid(FieldPath.of("deleteOptions", field), true, reason),
  ]);
}

async function evict(
  parts: EvictionParts,
  context: RegistryContext,
  name: string,
  options: DeleteOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await parts.pods().get(context.namespace, name, { kind: "mostRecent" });
    const pod = stored.decode();
    const { uid, resourceVersion } = pod.metadata;
    const leave = await leaveOf(parts, context, pod);
    const isBound = leave.kind === "asSeen" && options.preconditions?.resourceVersion === undefined;
    const asked = options.preconditions ?? { uid };
    const preconditions = isBound ? { ...asked, resourceVersion } : asked;
    try {
      const wanted = { ...options, preconditions };
      const isTold = parts.tellsDisruption && !context.dryRun;
      await parts
        .pods()
        .delete(context, name, isTold ? await markDisrupted(parts, context, name, wanted) : wanted);
      return;
    } catch (error) {
      if (!isBound || !isStatus(error, "Conflict")) throw error;
      if (leave.budget !== undefined) throw stillProcessed(leave.budget);
      if (attempt === attemptsMax) throw error;
    }
  }
}

/** Says in the pod's status why it is evicted, and returns options that delete the pod as it is then. */
async function markDisrupted(
  parts: EvictionParts,
  context: RegistryContext,
  name: string,
  options: DeleteOptions,
): Promise<DeleteOptions> {
  const registry = parts.pods();
  const strategy = partStrategy(registry.definition, "status");
  const mark = (pod: Pod): void => {
    checkPreconditions(registry.definition, pod, options);
    pod.status.conditions = withDisruption(pod.status.conditions, context.now);
  };
  const marked = await registry.change(context, name, mark, { strategy });
  const { preconditions } = options;
  if (preconditions?.resourceVersion === undefined) return options;
  const { resourceVersion } = marked.decode().metadata;
  return { ...options, preconditions: { ...preconditions, resourceVersion } };
}

function withDisruption(conditions: readonly PodCondition[] | undefined, now: Date): PodCondition[] {
  const type = "DisruptionTarget";
  const disrupted = {
    type,
    observedGeneration: conditions?.find((condition) => condition.type === type)?.observedGeneration,
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  return withCondition(conditions, disrupted, timestamp(now));
}

/** Why a pod may be evicted. */
type Leave =
  /** No budget applies, or one allowed it. */
  | { readonly kind: "given" }
  /** It was not ready; it may have become ready in between. `budget` is the one that did not count it. */
  | { readonly kind: "asSeen"; readonly budget: string | undefined };

const given: Leave = { kind: "given" };

async function leaveOf(parts: EvictionParts, context: RegistryContext, pod: Pod): Promise<Leave> {
  const phase = pod.status.phase ?? "";
  // A pod that has finished, or is already being deleted, does not break a budget.
  if (pod.metadata.deletionTimestamp !== undefined || phase === "Succeeded" || phase === "Failed")
    return given;
  if (phase === "Pending") return { kind: "asSeen", budget: undefined };
  return await takeFromBudget(parts, context, pod);
}

async function takeFromBudget(parts: EvictionParts, context: RegistryContext, pod: Pod): Promise<Leave> {
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
  // An unready pod may be evicted as long as enough others are ready, or always.
  const { currentHealthy, desiredHealthy } = budget.status;
  const isAlwaysAllowed = budget.spec.unhealthyPodEvictionPolicy === "AlwaysAllow";
  if (!isReady(pod) && (isAlwaysAllowed || (currentHealthy >= desiredHealthy && desiredHealthy > 0))) {
    return { kind: "asSeen", budget: budget.metadata.name ?? "" };
  }
  const registry = parts.budgets();
  const strategy = partStrategy(registry.definition, "status");
  const disruption = { pod, now: context.now, level: parts.level };
  const take = (object: PodDisruptionBudget): void => decrement(object, disruption);
  await registry.change(context, budget.metadata.name ?? "", take, { strategy });
  return given;
}

async function budgetsOf(parts: EvictionParts, pod: Pod): Promise<PodDisruptionBudget[]> {
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
    // The condition need not wait for the controller to notice that this was the last disruption allowed.
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

function stillProcessed(budget: string): StatusError {
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

import type { AdmissionChain } from "../../admission/admission-chain.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import { badRequest, forbiddenError, internal, StatusError } from "../../apimachinery/status.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { Eviction, PodDisruptionBudget } from "../../apis/gen/policy-v1.js";
import { rfc3339 } from "../../registry/generic/before-create.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { RegistryContext } from "../../registry/generic/registry-context.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { ApiResult } from "../api-result.js";
import type { OperationHandler } from "../operation.js";
import { readValue } from "../read-value.js";
import type { EndpointSettings } from "../resource-endpoint.js";
import { registryContext, writeOptionsOf } from "../write-options.js";
import { admitCreatedValue } from "./admit-created-value.js";

export interface EvictionParts {
  readonly pods: () => ResourceRegistry;
  readonly budgets: () => ResourceRegistry;
  readonly codec: Codec<Eviction>;
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
}

/** Pods that a budget was asked for and whose deletion its controller has not seen; more means nobody looks after it. */
const disruptedPodsMax = 2000;
const retryAfterSeconds = 10;

/**
 * POST to a pod's `eviction`: a delete that respects the pod's disruption budget. 429 when the budget allows none now. Source: the
 * original's eviction REST storage.
 */
export function evictPod(parts: EvictionParts): OperationHandler {
  return async (request): Promise<ApiResult> => {
    const query = writeOptionsOf(request, "CreateOptions", parts.settings);
    const eviction = await readValue(request, parts.codec, "Eviction");
    const { namespace, name } = request.info;
    if (eviction.metadata.name !== undefined && eviction.metadata.name !== name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const deleteOptions = eviction.deleteOptions;
    const dryRun = query.dryRun || (deleteOptions?.dryRun?.length ?? 0) > 0;
    const context = registryContext(request, dryRun);
    await admitCreatedValue(parts.admission, request, {
      kind: { group: "policy", version: "v1", kind: "Eviction" },
      object: eviction,
      dryRun,
    });
    const pod = (await parts.pods().get(namespace, name, { kind: "mostRecent" })).decode() as Pod;
    if (needsBudget(pod)) await takeFromBudget(parts, context, pod);
    const options: DeleteOptions = {
      gracePeriodSeconds:
        deleteOptions?.gracePeriodSeconds === undefined
          ? undefined
          : Number(deleteOptions.gracePeriodSeconds),
      preconditions: deleteOptions?.preconditions ?? { uid: pod.metadata.uid },
      propagationPolicy: deleteOptions?.propagationPolicy,
      orphanDependents: deleteOptions?.orphanDependents,
    };
    await parts.pods().delete(context, name, options, async () => {});
    return { kind: "status", code: 201, status: { metadata: {}, status: "Success", code: 201 } };
  };
}

/** Pods that do no work, or are on their way out already, break no budget. */
function needsBudget(pod: Pod): boolean {
  const phase = pod.status.phase ?? "";
  return pod.metadata.deletionTimestamp === undefined && !["Succeeded", "Failed", "Pending"].includes(phase);
}

async function takeFromBudget(parts: EvictionParts, context: RegistryContext, pod: Pod): Promise<void> {
  const budgets = await budgetsOf(parts, pod);
  const [budget, second] = budgets;
  if (budget === undefined) return;
  if (second !== undefined) {
    throw internal(
      "this pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  // An unready pod serves nobody: as long as enough others do, it may go.
  const { currentHealthy, desiredHealthy } = budget.status;
  if (!isReady(pod) && currentHealthy >= desiredHealthy && desiredHealthy > 0) return;
  const registry = parts.budgets();
  const status = registry.definition.subresources.find((s) => s.name === "status");
  if (status?.kind !== "part") throw new Error("disruption budgets have a status subresource");
  await registry.update(context, budget.metadata.name ?? "", {
    strategy: status.strategy,
    transform: async (current) => {
      if (current === undefined) throw new Error("an eviction does not create");
      const object = current.copy() as PodDisruptionBudget; // the registry of budgets holds nothing else
      decrement(object, pod, context.now);
      return object;
    },
    validate: async () => {},
  });
}

async function budgetsOf(parts: EvictionParts, pod: Pod): Promise<PodDisruptionBudget[]> {
  const prefix = `${pod.metadata.namespace ?? ""}/`;
  const { items } = await parts.budgets().list({ prefix, at: { kind: "mostRecent" }, limit: 0 });
  return items
    .map((stored) => stored.decode() as PodDisruptionBudget) // the registry of budgets holds nothing else
    .filter(({ spec }) => labelSelectorFromObject(spec.selector).matches(pod.metadata.labels));
}

function decrement(budget: PodDisruptionBudget, pod: Pod, now: Date): void {
  const { status, metadata } = budget;
  const name = metadata.name ?? "";
  if (Number(status.observedGeneration ?? 0) < Number(metadata.generation ?? 0)) {
    throw wouldViolate(
      `The disruption budget ${name} is still being processed by the server.`,
      retryAfterSeconds,
    );
  }
  const subject = { group: "policy", resource: "poddisruptionbudgets" };
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
    throw wouldViolate(
      `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`,
      0,
    );
  }
  status.disruptionsAllowed--;
  status.disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? ""]: rfc3339(now) };
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

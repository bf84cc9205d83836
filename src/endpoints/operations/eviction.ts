import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { badRequest, invalidObject, isStatus } from "../../apimachinery/errors/status.js";
import { withCondition } from "../../apimachinery/objects/conditions.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { partStrategy } from "../../apis/definition/resource-definition.js";
import type { Pod, PodCondition } from "../../apis/gen/core-v1.js";
import type { Eviction } from "../../apis/gen/policy-v1.js";
import { checkPreconditions } from "../../registry/generic/before-delete.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { WriteScope } from "../../request/write-scope.js";
import { bodyType, decodeBody } from "../bodies/decode-object.js";
import type { ApiResult } from "../resource/api-result.js";
import { settleCreatedMetadata } from "../resource/created-metadata.js";
import { createKindView } from "../resource/kind-view.js";
import type { OperationHandler } from "../resource/operation.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import { deleteOptionsIn, writeOf, writeOptionsOf } from "../resource/write-options.js";
import { admitCreatedValue, trackCreatedValue } from "./admit-created-value.js";
import { allowanceFor, type BudgetParts, stillProcessed } from "./disruption-allowance.js";

export interface EvictionParts extends BudgetParts {
  readonly pods: () => ResourceRegistry<Pod>;
  readonly codec: Codec<Eviction>;
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
  /** Whether evicted pods get the DisruptionTarget condition. */
  readonly tellsDisruption: boolean;
}

/** Attempts for a pod that keeps changing. */
const attemptsMax = 20;

/**
 * POST to a pod's `eviction`: a delete that respects the pod's disruption budget. 429 when the budget currently allows none. Source:
 * Kubernetes' eviction REST storage.
 */
export function evictPod(parts: EvictionParts): OperationHandler {
  const { settings } = parts;
  const type = bodyType(parts.codec, { apiVersion: "policy/v1", kind: "Eviction" }, ["policy/v1beta1"]);
  const kind = { group: "policy", version: "v1", kind: "Eviction" };
  const view = createKindView(kind, parts.codec);
  return async (request): Promise<ApiResult> => {
    const query = writeOptionsOf(request, "CreateOptions", settings);
    const eviction = await decodeBody(type, settings, request);
    settleCreatedMetadata(eviction.metadata, request.info, parts.level);
    const { name } = request.info;
    if ((eviction.metadata.name ?? "") !== name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    refuseUnsafeDeletion(eviction);
    const options = deleteOptionsIn(eviction.deleteOptions, settings);
    await trackCreatedValue(view, eviction, request, { manager: query.fieldManager, settings });
    // For admission, only the eviction's own options make its create a dry run.
    await admitCreatedValue(parts.admission, request, writeOf(request, query.dryRun), {
      kind,
      object: eviction,
      codec: parts.codec,
      options: query,
    });
    const dryRun = query.dryRun || (options.dryRun?.length ?? 0) > 0;
    await evict(parts, writeOf(request, dryRun), name, options);
    return { kind: "status", code: 201, status: { metadata: {}, status: "Success", code: 201 } };
  };
}

/** The budget of an object that cannot be read is unknown. */
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
  context: WriteScope,
  name: string,
  options: DeleteOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await parts.pods().get(context.namespace, name, { kind: "mostRecent" });
    const pod = stored.decode();
    const { uid, resourceVersion } = pod.metadata;
    const allowance = await allowanceFor(parts, context, pod);
    const isBound = allowance.kind === "asSeen" && options.preconditions?.resourceVersion === undefined;
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
      if (allowance.budget !== undefined) throw stillProcessed(allowance.budget);
      if (attempt === attemptsMax) throw error;
    }
  }
}

/** Sets the DisruptionTarget condition, and returns options that delete the pod at that version. */
async function markDisrupted(
  parts: EvictionParts,
  context: WriteScope,
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

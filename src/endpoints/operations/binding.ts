import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import {
  badRequest,
  conflict,
  invalidObject,
  otherUid,
  type StatusError,
} from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { withCondition } from "../../apimachinery/objects/conditions.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { validateBinding } from "../../apis/core/binding/validation.js";
import type { Binding, Pod, PodCondition } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { bodyType, decodeBody } from "../bodies/decode-object.js";
import type { ApiResult } from "../resource/api-result.js";
import { settleCreatedMetadata } from "../resource/created-metadata.js";
import { createKindView } from "../resource/kind-view.js";
import type { OperationHandler } from "../resource/operation.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import { writeOf, writeOptionsOf } from "../resource/write-options.js";
import { admitCreatedValue, trackCreatedValue } from "./admit-created-value.js";

export interface BindingParts {
  readonly pods: () => ResourceRegistry<Pod>;
  readonly codec: Codec<Binding>;
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
  readonly level: ApiLevel;
  /** The gate PodTopologyLabelsAdmission: whether the pod gets the binding's labels. */
  readonly copiesLabels: boolean;
  /** The gate ClearingNominatedNodeNameAfterBinding: whether the pod's nominated node is cleared. */
  readonly clearsNominatedNode: boolean;
}

/** POST of a Binding, to `bindings` or to a pod's `binding`: a scheduler's decision about the pod's node. */
export function bindPod(parts: BindingParts): OperationHandler {
  const { settings } = parts;
  const type = bodyType(parts.codec, { apiVersion: "v1", kind: "Binding" });
  const kind = { group: "", version: "v1", kind: "Binding" };
  const view = createKindView(kind, parts.codec);
  return async (request): Promise<ApiResult> => {
    const options = writeOptionsOf(request, "CreateOptions", settings);
    const binding = await decodeBody(type, settings, request);
    const isOfPod = request.info.subresource !== "";
    settleCreatedMetadata(binding.metadata, request.info, parts.level, { keepsSystemFields: isOfPod });
    const sentName = binding.metadata.name ?? "";
    const name = isOfPod ? request.info.name : sentName;
    if (sentName !== name) {
      throw badRequest("name in URL does not match name in Binding object");
    }
    await trackCreatedValue(view, binding, request, { manager: options.fieldManager, settings });
    const write = writeOf(request, options.dryRun);
    await admitCreatedValue(parts.admission, request, write, {
      kind,
      object: binding,
      codec: parts.codec,
      options,
    });
    const errors = validateBinding(binding);
    if (errors.length > 0) throw invalidObject({ group: "", kind: "Binding" }, name, errors);
    const strategy = assignment(parts.pods());
    const change = (pod: Pod): void => {
      assign(pod, binding, request.receivedAt);
      const labels = { ...pod.metadata.labels, ...binding.metadata.labels };
      if (parts.clearsNominatedNode) pod.status.nominatedNodeName = undefined;
      if (parts.copiesLabels && Object.keys(labels).length > 0) pod.metadata.labels = labels;
    };
    await parts.pods().change(write, name, change, { strategy });
    return { kind: "status", code: 201, status: { metadata: {}, status: "Success", code: 201 } };
  };
}

function assign(pod: Pod, binding: Binding, now: Date): void {
  const name = pod.metadata.name ?? "";
  const { uid, resourceVersion } = binding.metadata;
  if (uid !== undefined && uid !== pod.metadata.uid) {
    throw otherUid({ group: "", resource: "pods" }, name, { wanted: uid, actual: pod.metadata.uid ?? "" });
  }
  if (resourceVersion !== undefined) pod.metadata.resourceVersion = resourceVersion;
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refused(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const assigned = pod.spec.nodeName ?? "";
  if (assigned !== "")
    throw refused(name, `pod ${name} is already assigned to node ${JSON.stringify(assigned)}`);
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    throw refused(name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  pod.spec.nodeName = binding.target.name;
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  if (Object.keys(annotations).length > 0) pod.metadata.annotations = annotations;
  // Replaces an earlier condition that says why the pod could not be scheduled.
  const scheduled = { type: "PodScheduled", status: "True" };
  pod.status.conditions = withCondition<PodCondition>(pod.status.conditions, scheduled, timestamp(now));
}

function refused(name: string, why: string): StatusError {
  return conflict({ group: "", resource: "pods/binding" }, name, why);
}

/** A binding changes spec and status in one write, as nothing else does. */
function assignment(pods: ResourceRegistry<Pod>) {
  return {
    ...pods.definition.strategy,
    prepareForUpdate() {},
    validateUpdate: () => [],
    warningsOnUpdate: () => [],
  };
}

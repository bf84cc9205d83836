import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalidUnprinted,
  longerThan,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  AllocationResult,
  NamedResourcesAllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimSpec,
  ResourceClaimStatus,
  ResourceHandle,
  StructuredResourceHandle,
} from "../../gen/resource-v1alpha2.js";
import { consumerKey } from "../claim-status-validation.js";
import { resourceV1alpha2Types } from "../v1alpha2/types.js";
import { validateReference } from "./references.js";

const consumersMax = 32;
const handlesMax = 32;
const modes = ["Immediate", "WaitForFirstConsumer"];

const specRules = fieldRules<ResourceClaimSpec>(resourceV1alpha2Types, "ResourceClaimSpec");
const statusRules = fieldRules<ResourceClaimStatus>(resourceV1alpha2Types, "ResourceClaimStatus");
const consumerRules = fieldRules<ResourceClaimConsumerReference>(
  resourceV1alpha2Types,
  "ResourceClaimConsumerReference",
);
const handleRules = fieldRules<ResourceHandle>(resourceV1alpha2Types, "ResourceHandle");
const structuredRules = fieldRules<StructuredResourceHandle>(
  resourceV1alpha2Types,
  "StructuredResourceHandle",
);
const namedRules = fieldRules<NamedResourcesAllocationResult>(
  resourceV1alpha2Types,
  "NamedResourcesAllocationResult",
);

export function validateClaimSpec(spec: ResourceClaimSpec, path: FieldPath): FieldError[] {
  const { parametersRef, allocationMode = "" } = spec;
  return [
    ...specRules.check(spec, path, "resourceClassName"),
    ...validateReference(parametersRef, path.child("parametersRef")),
    ...(modes.includes(allocationMode)
      ? []
      : [notSupported(path.child("allocationMode"), allocationMode, modes)]),
  ];
}

/** A claim gets a resource, then pods that use it; it gives the resource back when no pod does. */
export function validateClaimStatus(claim: ResourceClaim, old: ResourceClaim, level: ApiLevel): FieldError[] {
  const path = FieldPath.of("status");
  const { driverName = "", allocation, reservedFor = [], deallocationRequested = false } = claim.status;
  const errors: FieldError[] = [];
  if (driverName !== "") append(errors, validateDriverName(driverName, path.child("driverName")));
  else if (allocation !== undefined) {
    errors.push(required(path.child("driverName"), "must be specified when `allocation` is set"));
  }
  const allocationPath = path.child("allocation");
  if (allocation !== undefined) append(errors, validateAllocation(allocation, allocationPath, level));
  append(errors, validateConsumers(reservedFor, path.child("reservedFor")));
  append(errors, validateReservations(claim, old, path.child("reservedFor")));
  const before = old.status;
  if (isAtLeast(level, "1.27") && before.allocation !== undefined && allocation !== undefined) {
    append(errors, statusRules.unchanged(claim.status, before, path, "allocation"));
  }
  const requestedPath = path.child("deallocationRequested");
  const wasRequested = before.deallocationRequested === true;
  if (!wasRequested && deallocationRequested && reservedFor.length > 0) {
    errors.push(forbidden(requestedPath, "deallocation cannot be requested while `reservedFor` is set"));
  }
  if (allocation === undefined && deallocationRequested) {
    errors.push(forbidden(path, "`allocation` must be set when `deallocationRequested` is set"));
  }
  if (wasRequested && !deallocationRequested && allocation !== undefined) {
    errors.push(forbidden(requestedPath, "may not be cleared when `allocation` is set"));
  }
  return errors;
}

function validateReservations(
  { metadata, status }: ResourceClaim,
  { status: before }: ResourceClaim,
  path: FieldPath,
): FieldError[] {
  const { allocation, reservedFor = [], deallocationRequested = false } = status;
  if (reservedFor.length === 0) return [];
  if (allocation === undefined) {
    return [forbidden(path, "may not be specified when `allocated` is not set")];
  }
  const errors: FieldError[] = [];
  if (allocation.shareable !== true && reservedFor.length > 1) {
    errors.push(forbidden(path, "may not be reserved more than once"));
  }
  if (metadata.deletionTimestamp === undefined && !deallocationRequested) return errors;
  const known = new Set((before.reservedFor ?? []).map(consumerKey));
  if (reservedFor.some((consumer) => !known.has(consumerKey(consumer)))) {
    const why = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
    errors.push(forbidden(path, why));
  }
  return errors;
}

function validateConsumers(
  consumers: readonly ResourceClaimConsumerReference[],
  path: FieldPath,
): FieldError[] {
  const uids = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, consumer] of consumers.entries()) {
    const at = path.index(index);
    if (uids.has(consumer.uid)) errors.push(duplicate(at.child("uid"), consumer.uid));
    else append(errors, consumerRules.check(consumer, at, "resource", "name", "uid"));
    uids.add(consumer.uid);
  }
  if (consumers.length > consumersMax) errors.push(longerThan(path, consumersMax));
  return errors;
}

/** The only handle of v1alpha1 has no driver of its own. */
function validateAllocation(
  { resourceHandles = [], availableOnNodes }: AllocationResult,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isAtLeast(level, "1.27")) {
    append(errors, validateHandles(resourceHandles, path.child("resourceHandles")));
  } else {
    append(errors, handleRules.checkValue("data", resourceHandles[0]?.data, path.child("resourceHandle")));
  }
  if (availableOnNodes !== undefined) {
    append(
      errors,
      validateNodeSelector(availableOnNodes, path.child("availableOnNodes"), { anyValues: true }),
    );
  }
  return errors;
}

function validateHandles(handles: readonly ResourceHandle[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, handle] of handles.entries()) {
    const { driverName = "", data = "", structuredData } = handle;
    const at = path.index(index);
    append(errors, validateDriverName(driverName, at.child("driverName")));
    append(errors, handleRules.check(handle, at, "data"));
    if (structuredData === undefined) continue;
    const dataPath = at.child("structuredData");
    append(errors, structuredRules.check(structuredData, dataPath, "nodeName"));
    for (const [place, { namedResources }] of (structuredData.results ?? []).entries()) {
      const resultPath = dataPath.child("results").index(place);
      if (namedResources === undefined) {
        errors.push(required(resultPath, "exactly one structured model field must be set"));
      } else {
        append(errors, namedRules.check(namedResources, resultPath.child("namedResources"), "name"));
      }
    }
    if (data !== "") errors.push(invalidUnprinted(at, "data and structuredData are mutually exclusive"));
  }
  if (handles.length > handlesMax) errors.push(longerThan(path, handlesMax));
  return errors;
}

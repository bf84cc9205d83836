import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import { isNativeResource } from "../../checks/resource-names.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ContainerExtendedResourceRequest,
  NodeAllocatableResourceClaimStatus,
  Pod,
  PodExtendedResourceClaimStatus,
  PodResourceClaimStatus,
  PodSpec,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const claimRules = fieldRules<PodResourceClaimStatus>(coreV1Types, "PodResourceClaimStatus");
const extendedRules = fieldRules<PodExtendedResourceClaimStatus>(
  coreV1Types,
  "PodExtendedResourceClaimStatus",
);
const allocatableRules = fieldRules<NodeAllocatableResourceClaimStatus>(
  coreV1Types,
  "NodeAllocatableResourceClaimStatus",
);
const requestRules = fieldRules<ContainerExtendedResourceRequest>(
  coreV1Types,
  "ContainerExtendedResourceRequest",
);

/** Claim statuses that schedulers and controllers report. `path` is that of the status. */
export function validateClaimStatuses(
  pod: Pod,
  path: FieldPath,
  level: ApiLevel,
  naming: Naming,
): FieldError[] {
  const { spec, status } = pod;
  const errors = validateClaims(pod, path.child("resourceClaimStatuses"), level);
  const { extendedResourceClaimStatus: extended, nodeAllocatableResourceClaimStatuses: allocatable } = status;
  if (extended !== undefined) {
    const at = path.child("extendedResourceClaimStatus");
    append(errors, validateExtended(extended, spec, at, isAtLeast(level, "1.35")));
  }
  if (allocatable === undefined) return errors;
  const known = new Set(
    [...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? [])].map(
      ({ resourceClaimName }) => resourceClaimName,
    ),
  );
  append(
    errors,
    errorsOfEach(allocatable, (told, index) =>
      validateAllocatable(
        told,
        known,
        path.child("nodeAllocatableResourceClaimStatuses").index(index),
        naming,
      ),
    ),
  );
  return errors;
}

function validateClaims({ spec, status }: Pod, path: FieldPath, level: ApiLevel): FieldError[] {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  return errorsOfEach(status.resourceClaimStatuses, ({ name, resourceClaimName }, index) => {
    const at = path.index(index).child("name");
    const errors: FieldError[] = [];
    if (!known.has(name)) {
      errors.push(invalid(at, name, "must match the name of an entry in `spec.resourceClaims`"));
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    const claimPath = isAtLeast(level, "1.36") ? path.index(index).child("resourceClaimName") : at;
    return [...errors, ...claimRules.checkValue("resourceClaimName", resourceClaimName, claimPath)];
  });
}

/** The claim made for extended resources, and the mapping of its requests to container resources. */
function validateExtended(
  extended: PodExtendedResourceClaimStatus,
  { initContainers = [], containers = [] }: PodSpec,
  path: FieldPath,
  maySplit: boolean,
): FieldError[] {
  const byName = new Map([...initContainers, ...containers].map((container) => [container.name, container]));
  const at = path.child("requestMappings");
  const errors = extendedRules.check(extended, path, "requestMappings");
  const seen = new Set<string>();
  for (const [index, { containerName, resourceName, requestName }] of extended.requestMappings?.entries() ??
    []) {
    const mapping = at.index(index);
    const container = byName.get(containerName);
    if (container === undefined) {
      const why = "must match the name of an entry in spec.initContainers.name or spec.containers.name";
      errors.push(invalid(mapping.child("containerName"), containerName, why));
    } else if (!Object.hasOwn(container.resources.requests ?? {}, resourceName)) {
      const why =
        "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
      errors.push(invalid(mapping.child("resourceName"), resourceName, why));
    }
    // The path is Kubernetes'.
    append(errors, requestRules.checkValue("requestName", requestName, path.child("requestName")));
    const parts = { containerName, resourceName, ...(maySplit && { requestName }) };
    const key = JSON.stringify(parts);
    if (seen.has(key)) {
      for (const [field, value] of Object.entries(parts)) {
        errors.push(duplicate(mapping.child(field), value));
      }
    }
    seen.add(key);
  }
  return [...errors, ...extendedRules.check(extended, path, "resourceClaimName")];
}

/** Node resources that a pod gets through a claim. */
function validateAllocatable(
  status: NodeAllocatableResourceClaimStatus,
  known: ReadonlySet<string | undefined>,
  path: FieldPath,
  naming: Naming,
): FieldError[] {
  const { resourceClaimName, resources = {} } = status;
  const errors = allocatableRules.check(status, path, "resourceClaimName");
  if (!known.has(resourceClaimName)) {
    const why = "no mapping found in pod reference";
    errors.push(invalid(path.child("resourceClaimName"), resourceClaimName, why));
  }
  append(errors, allocatableRules.check(status, path, "containers", "resources"));
  const at = path.child("resources");
  for (const [name, amount] of Object.entries(resources)) {
    if (!isNativeResource(name, naming)) {
      errors.push(invalid(at.key(name), name, "must be a node allocatable resource name"));
    }
    if (Quantity.parse(amount).sign() < 0) {
      errors.push(invalid(at.key(name), amount, "must be non-negative"));
    }
  }
  return errors;
}

import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  invalid,
  required,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import { validateConditions } from "../../checks/condition-validation.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { validateList } from "../../checks/lists.js";
import { validateObjectName } from "../../checks/value-checks.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
  ResourcePoolStatusRequestStatus,
} from "../../gen/resource-v1alpha3.js";
import { validatePoolName } from "../names.js";

const poolsDefault = 100;
const poolsMax = 1000;
const conditionsMax = 10;
const errorBytesMax = 256;

export function resourcePoolStatusRequests(
  context: ApiContext,
): ResourceDefinition<ResourcePoolStatusRequest> {
  const specPath = FieldPath.of("spec");
  const statusPath = FieldPath.of("status");
  const main = strategy<ResourcePoolStatusRequest>({
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate(_write, request) {
      request.status = undefined;
    },
    prepareForUpdate(_write, request, old) {
      request.status = old.status;
    },
    validate: (_write, { spec }) => validateSpec(spec, specPath),
    validateUpdate: (_write, { spec }, old) => validateImmutable(spec, old.spec, specPath),
  });
  return defineResource<ResourcePoolStatusRequest>({
    group: context.naming.group("resource"),
    resource: "resourcepoolstatusrequests",
    kind: "ResourcePoolStatusRequest",
    namespaced: false,
    since: "1.36",
    versions: [
      hub<ResourcePoolStatusRequest>(context, {
        version: "v1alpha3",
        since: "1.36",
        type: "resource/v1alpha3.ResourcePoolStatusRequest",
        enabledByDefault: false,
        lifecycle: { introduced: "1.36", deprecated: "1.39", removed: "1.42" },
        setDefaults({ spec }) {
          spec.limit ??= poolsDefault;
        },
      }),
    ],
    storage: { version: "v1alpha3", prefix: "/resourcepoolstatusrequests" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      statusPart(main, {
        resetFields: [["metadata"], ["spec"]],
        prepareForUpdate: (_write, request, old) => resetMetadataForStatus(request, old),
        // A request is answered once.
        validateUpdate: (_write, { status }, old) =>
          old.status === undefined
            ? validateStatus(status, statusPath)
            : validateImmutable(status, old.status, statusPath),
      }),
    ],
  });
}

function validateSpec(
  { driver, poolName, limit = poolsDefault }: ResourcePoolStatusRequestSpec,
  path: FieldPath,
): FieldError[] {
  const driverPath = path.child("driver");
  const errors = driver === "" ? [required(driverPath, "")] : validateDriverName(driver, driverPath);
  if (poolName !== undefined) append(errors, validatePoolName(poolName, path.child("poolName")));
  append(errors, validateAtLeast(limit, 1, path.child("limit")));
  if (limit > poolsMax) {
    errors.push(invalid(path.child("limit"), limit, `must be less than or equal to ${poolsMax}`));
  }
  return errors;
}

function validateStatus(status: ResourcePoolStatusRequestStatus | undefined, path: FieldPath): FieldError[] {
  if (status === undefined) return [];
  const { poolCount, pools, conditions } = status;
  const countPath = path.child("poolCount");
  return [
    ...(poolCount === undefined ? [required(countPath, "")] : validateAtLeast(poolCount, 0, countPath)),
    ...validateList(pools, path.child("pools"), poolsMax, validatePool),
    ...validateList(conditions, path.child("conditions"), conditionsMax, () => []),
    ...validateConditions((conditions ?? []).slice(0, conditionsMax), path.child("conditions")),
  ];
}

function validatePool(pool: PoolStatus, path: FieldPath): FieldError[] {
  const { driver = "", poolName = "", nodeName, validationError = "", generation, resourceSliceCount } = pool;
  const driverPath = path.child("driver");
  const errors = driver === "" ? [required(driverPath, "")] : validateDriverName(driver, driverPath);
  append(errors, validatePoolName(poolName, path.child("poolName")));
  append(errors, validateAtLeast(generation, 0, path.child("generation")));
  append(errors, validateAtLeast(resourceSliceCount, 1, path.child("resourceSliceCount")));
  for (const field of [
    "totalDevices",
    "allocatedDevices",
    "availableDevices",
    "unavailableDevices",
  ] as const) {
    append(errors, validateAtLeast(pool[field], 0, path.child(field)));
  }
  if (nodeName !== undefined) append(errors, validateObjectName(nodeName, path.child("nodeName")));
  if (byteLength(validationError) > errorBytesMax) {
    errors.push(tooLong(path.child("validationError"), errorBytesMax));
  }
  return errors;
}

function validateAtLeast(value: number | bigint | undefined, min: number, path: FieldPath): FieldError[] {
  if (value === undefined || value >= min) return [];
  return [invalid(path, value, `must be greater than or equal to ${min}`)];
}

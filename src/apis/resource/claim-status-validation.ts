import { append } from "../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { validateInterfaceAddress } from "../../apimachinery/validation/ip-addresses.js";
import { firstIpRules, validateCidrField } from "../../apimachinery/validation/ip-fields.js";
import { validateConditions } from "../checks/condition-validation.js";
import { validateDriverName } from "../checks/driver-name.js";
import { printInternal } from "../checks/internal-form.js";
import { itself, validateList, validateSet } from "../checks/lists.js";
import { validateNodeSelector } from "../checks/node-selector.js";
import type { SchemaSource } from "../definition/api-context.js";
import { fieldRules } from "../definition/field-rules.js";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from "../gen/resource-v1.js";
import { validateBindingConditions } from "./binding-conditions.js";
import {
  configurationsMax,
  type RequestNames,
  requestsMax,
  validateRequestReference,
} from "./claim-validation.js";
import { validateDeviceConfiguration, validateOpaque } from "./configuration.js";
import { validatePoolName, validateUid } from "./names.js";
import { resourceV1Types } from "./v1/types.js";

const resultsMax = 32;
const addressesMax = 16;

const statusRules = fieldRules<ResourceClaimStatus>(resourceV1Types, "ResourceClaimStatus");
const consumerRules = fieldRules<ResourceClaimConsumerReference>(
  resourceV1Types,
  "ResourceClaimConsumerReference",
);
const resultRules = fieldRules<DeviceRequestAllocationResult>(
  resourceV1Types,
  "DeviceRequestAllocationResult",
);
const configurationRules = fieldRules<DeviceAllocationConfiguration>(
  resourceV1Types,
  "DeviceAllocationConfiguration",
);
const deviceRules = fieldRules<AllocatedDeviceStatus>(resourceV1Types, "AllocatedDeviceStatus");
const networkRules = fieldRules<NetworkDeviceData>(resourceV1Types, "NetworkDeviceData");

export interface ClaimStatusRules {
  readonly level: ApiLevel;
  readonly schemas: SchemaSource;
  readonly names: RequestNames;
  readonly isTerminating: boolean;
}

/** Identifies a device and, if it is shared, the share. */
export function deviceKey({
  driver,
  pool,
  device,
  shareID = "",
}: DeviceRequestAllocationResult | AllocatedDeviceStatus): string {
  const key = `${driver}/${pool}/${device}`;
  return shareID === "" ? key : `${key}/${shareID}`;
}

function printDevice(status: AllocatedDeviceStatus): PrintedValue {
  const { driver, pool, device, shareID = "" } = status;
  return new PrintedValue(deviceKey(status), {
    Driver: driver,
    Pool: pool,
    Device: device,
    ShareID: shareID,
  });
}

/** Drops device statuses whose device is no longer allocated. */
export function devicesStillAllocated(
  { allocation, devices = [] }: ResourceClaimStatus,
  { allocation: before }: ResourceClaimStatus,
): AllocatedDeviceStatus[] {
  const freed = new Set(before?.devices.results?.map(deviceKey));
  for (const result of allocation?.devices.results ?? []) freed.delete(deviceKey(result));
  return devices.filter((device) => !freed.has(deviceKey(device)));
}

export function validateClaimStatus(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  path: FieldPath,
  rules: ClaimStatusRules,
): FieldError[] {
  const { level } = rules;
  const { allocation, reservedFor = [], devices } = status;
  const allocationPath = path.child("allocation");
  // Since 1.32, a stored allocation may come from an older server with weaker rules.
  const isChecked = allocation !== undefined && (old.allocation === undefined || !isAtLeast(level, "1.32"));
  const allocationErrors = isChecked ? validateAllocation(allocation, allocationPath, rules) : [];
  const errors = validateSet(reservedFor, path.child("reservedFor"), consumersMax(level), {
    level,
    key: { of: ({ uid }) => uid, field: "uid" },
    validate: validateConsumer,
  });
  const allocated = new Set(allocation?.devices.results?.map(deviceKey));
  append(
    errors,
    validateSet(devices, path.child("devices"), Number.POSITIVE_INFINITY, {
      level,
      key: { of: deviceKey, field: "deviceID", print: printDevice },
      validate: (device, at) => validateDeviceStatus(device, at, allocated, level),
    }),
  );
  if (reservedFor.length > 0) {
    append(errors, validateReservations(status, old, path.child("reservedFor"), rules));
  }
  const unchanged =
    allocation === undefined || old.allocation === undefined
      ? []
      : statusRules.unchangedValue("allocation", allocation, old.allocation, allocationPath, (value) =>
          printInternal(rules.schemas, "resource/v1.AllocationResult", value),
        );
  return isAtLeast(level, "1.32")
    ? [...errors, ...allocationErrors, ...unchanged]
    : [...allocationErrors, ...errors, ...unchanged, ...validateDeallocation(status, old, path)];
}

function consumersMax(level: ApiLevel): number {
  return isAtLeast(level, "1.32") ? 256 : 32;
}

function validateConsumer(consumer: ResourceClaimConsumerReference, path: FieldPath): FieldError[] {
  return consumerRules.check(consumer, path, "resource", "name", "uid");
}

function validateReservations(
  { allocation, reservedFor = [], deallocationRequested }: ResourceClaimStatus,
  old: ResourceClaimStatus,
  path: FieldPath,
  { isTerminating }: ClaimStatusRules,
): FieldError[] {
  if (allocation === undefined) {
    return [forbidden(path, "may not be specified when `allocated` is not set")];
  }
  if (!isTerminating && deallocationRequested !== true) return [];
  const before = new Set(old.reservedFor?.map(consumerKey));
  if (reservedFor.every((consumer) => before.has(consumerKey(consumer)))) return [];
  const when = "while `deallocationRequested` or `deletionTimestamp` are set";
  return [forbidden(path, `new entries may not be added ${when}`)];
}

/** A driver with a controller is asked to deallocate; it clears the request together with the allocation. */
function validateDeallocation(
  { allocation, reservedFor = [], deallocationRequested }: ResourceClaimStatus,
  old: ResourceClaimStatus,
  path: FieldPath,
): FieldError[] {
  const at = path.child("deallocationRequested");
  const [isRequested, wasRequested] = [deallocationRequested === true, old.deallocationRequested === true];
  const errors: FieldError[] = [];
  if (isRequested && !wasRequested && reservedFor.length > 0) {
    errors.push(forbidden(at, "deallocation cannot be requested while `reservedFor` is set"));
  }
  if (isRequested && allocation === undefined) {
    errors.push(forbidden(path, "`allocation` must be set when `deallocationRequested` is set"));
  }
  if (wasRequested && !isRequested && allocation !== undefined) {
    errors.push(forbidden(at, "may not be cleared when `allocation` is set"));
  }
  return errors;
}

export function consumerKey({ apiGroup = "", resource, name, uid }: ResourceClaimConsumerReference): string {
  return JSON.stringify([apiGroup, resource, name, uid]);
}

function validateAllocation(
  { devices, nodeSelector, controller = "" }: AllocationResult,
  path: FieldPath,
  { names, level }: ClaimStatusRules,
): FieldError[] {
  const devicesPath = path.child("devices");
  const errors = validateList(
    devices.results,
    devicesPath.child("results"),
    resultsMax,
    (result, at) => validateResult(result, at, names, level),
    level,
  );
  append(
    errors,
    // The configurations of the classes and of the claim.
    validateList(
      devices.config,
      devicesPath.child("config"),
      2 * configurationsMax,
      (configuration, at) => validateAllocatedConfiguration(configuration, at, names, level),
      level,
    ),
  );
  if (nodeSelector !== undefined) {
    append(
      errors,
      validateNodeSelector(nodeSelector, path.child("nodeSelector"), {
        anyValues: !isAtLeast(level, "1.32"),
      }),
    );
  }
  if (controller !== "") append(errors, validateDriverName(controller, path.child("controller")));
  return errors;
}

function validateResult(
  result: DeviceRequestAllocationResult,
  path: FieldPath,
  names: RequestNames,
  level: ApiLevel,
): FieldError[] {
  const { shareID } = result;
  return [
    ...validateRequestReference(result.request, path.child("request"), names, level),
    ...validateDevice(result, path),
    ...resultRules.check(result, path, "device"),
    ...validateBindingConditions(result, path),
    ...(shareID === undefined ? [] : validateUid(shareID, path.child("shareID"))),
  ];
}

function validateDevice(
  { driver, pool }: DeviceRequestAllocationResult | AllocatedDeviceStatus,
  path: FieldPath,
): FieldError[] {
  return [...validateDriverName(driver, path.child("driver")), ...validatePoolName(pool, path.child("pool"))];
}

function validateAllocatedConfiguration(
  configuration: DeviceAllocationConfiguration,
  path: FieldPath,
  names: RequestNames,
  level: ApiLevel,
): FieldError[] {
  return [
    ...configurationRules.check(configuration, path, "source"),
    ...validateSet(configuration.requests, path.child("requests"), requestsMax, {
      level,
      key: itself,
      validate: (name, at) => validateRequestReference(name, at, names, level),
    }),
    ...validateDeviceConfiguration(configuration, path, false),
  ];
}

function validateDeviceStatus(
  status: AllocatedDeviceStatus,
  path: FieldPath,
  allocated: ReadonlySet<string>,
  level: ApiLevel,
): FieldError[] {
  const { shareID, conditions = [], data, networkData } = status;
  const errors = validateDevice(status, path);
  append(errors, deviceRules.check(status, path, "device"));
  if (shareID !== undefined) append(errors, validateUid(shareID, path.child("shareID")));
  if (!allocated.has(deviceKey(status))) {
    const why = "must be an allocated device in the claim";
    errors.push(invalid(path, printDevice(status), why));
  }
  append(errors, deviceRules.check(status, path, "conditions"));
  append(errors, validateConditions(conditions, path.child("conditions")));
  if (data !== undefined && data !== null) append(errors, validateOpaque(data, path.child("data"), false));
  if (networkData !== undefined) {
    append(errors, validateNetworkData(networkData, path.child("networkData"), level));
  }
  return errors;
}

function validateNetworkData(data: NetworkDeviceData, path: FieldPath, level: ApiLevel): FieldError[] {
  return [
    ...networkRules.check(data, path, "interfaceName", "hardwareAddress"),
    ...validateSet(data.ips, path.child("ips"), addressesMax, {
      level,
      key: itself,
      validate: (address, at) =>
        isAtLeast(level, "1.33")
          ? validateInterfaceAddress(at, address)
          : validateCidrField(at, address, firstIpRules),
    }),
  ];
}

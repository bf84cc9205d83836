import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notFoundField,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { validateList, validateMap } from "../../checks/lists.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Device, DeviceAttribute, NodeAllocatableResourceMapping } from "../../gen/resource-v1.js";
import { validateBindingConditions } from "../binding-conditions.js";
import { domainBytesMax, identifierBytesMax, validateQualifiedName } from "../names.js";
import { validateSemanticVersion } from "../semantic-version.js";
import { validateDeviceTaint } from "../taints.js";
import { resourceV1Types } from "../v1/types.js";
import { validateCapacity } from "./capacity-validation.js";
import { type KnownCounters, validateConsumptions } from "./counter-validation.js";

const partsMax = 32;
const attributeValuesMax = 48;
const qualifiedNameShownMax = domainBytesMax + 1 + identifierBytesMax;

const deviceRules = fieldRules<Device>(resourceV1Types, "Device");
const attributeRules = fieldRules<DeviceAttribute>(resourceV1Types, "DeviceAttribute");

export interface DeviceRules {
  readonly level: ApiLevel;
  /** Whether each device states which nodes can use it. */
  readonly choosesNodes: boolean;
  readonly knownCounters: KnownCounters | undefined;
}

/** Unchanged taints may not meet the current rules. */
export function validateDevice(
  device: Device,
  old: Device | undefined,
  devicePath: FieldPath,
  rules: DeviceRules,
): FieldError[] {
  const { level, knownCounters } = rules;
  const { attributes = {}, capacity = {}, taints } = device;
  const errors = deviceRules.check(device, devicePath, "name");
  // Older levels report paths in `basic` for all versions.
  const path = isAtLeast(level, "1.33") ? devicePath : devicePath.child("basic");
  append(errors, validateNumbers(attributes, Object.keys(capacity).length, path));
  const named = {
    level,
    shownMax: qualifiedNameShownMax,
    key: (key: string, at: FieldPath) => validateQualifiedName(key, at, level),
  };
  const isShared = device.allowMultipleAllocations === true;
  append(
    errors,
    validateMap(attributes, path.child("attributes"), {
      ...named,
      value: (attribute, at) => validateAttribute(attribute, at, level),
    }),
  );
  append(
    errors,
    validateMap(capacity, path.child("capacity"), {
      ...named,
      value: (each, at) => validateCapacity(each, at, isShared, level),
    }),
  );
  if (old === undefined || !isDeepEqual(old.taints, taints)) {
    const validate = validateList(
      taints,
      path.child("taints"),
      taintsMax(level),
      (taint, at) => validateDeviceTaint(taint, at, level),
      level,
    );
    append(errors, validate);
  }
  append(errors, validateConsumptions(device, path, knownCounters, level));
  return [
    ...errors,
    ...validateNodes(device, path, rules),
    ...validateBindingConditions(device, path),
    ...validateMappings(device, path.child("nodeAllocatableResourceMappings")),
  ];
}

function taintsMax(level: ApiLevel): number {
  return isAtLeast(level, "1.35") ? 16 : 4;
}

function validateNumbers(
  attributes: { readonly [name: string]: DeviceAttribute },
  capacities: number,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const parts = Object.keys(attributes).length + capacities;
  if (parts > partsMax) {
    errors.push(
      invalid(path, parts, `the total number of attributes and capacities must not exceed ${partsMax}`),
    );
  }
  let values = 0;
  for (const { ints, bools, strings, versions } of Object.values(attributes)) {
    const listed = [ints, bools, strings, versions].reduce((sum, list) => sum + (list?.length ?? 0), 0);
    values += Math.max(1, listed);
  }
  if (values > attributeValuesMax) {
    const why = `the total number of attribute values must not exceed ${attributeValuesMax}`;
    errors.push(invalid(path, values, why));
  }
  return errors;
}

function validateAttribute(attribute: DeviceAttribute, path: FieldPath, level: ApiLevel): FieldError[] {
  const { version, versions } = attribute;
  const errors = attributeRules.check(attribute, path, "string");
  if (version !== undefined) append(errors, validateVersion(version, path.child("version")));
  append(errors, attributeRules.check(attribute, path, "strings"));
  for (const [index, text] of (versions ?? []).entries()) {
    append(errors, validateVersion(text, path.child("versions").index(index)));
  }
  const count = Object.values(attribute).filter((value) => value !== undefined).length;
  const why = "exactly one value must be specified";
  if (count > 1) {
    const tooMany = isAtLeast(level, "1.32") ? why : "exactly one field must be specified";
    errors.push(invalid(path, printAttribute(attribute, level), tooMany));
  } else if (count === 0) {
    errors.push(isAtLeast(level, "1.35") ? invalid(path, "", why) : required(path, why));
  }
  return errors;
}

function printAttribute(attribute: DeviceAttribute, level: ApiLevel): PrintedValue {
  const { int, bool, string, version, ints, bools, strings, versions } = attribute;
  return printStruct("resource.DeviceAttribute", {
    IntValue: printPointer("int64", int),
    BoolValue: printPointer("bool", bool),
    StringValue: printPointer("string", string),
    VersionValue: printPointer("string", version),
    ...(isAtLeast(level, "1.36") && {
      IntValues: printList("int64", ints),
      BoolValues: printList("bool", bools),
      StringValues: printList("string", strings),
      VersionValues: printList("string", versions),
    }),
  });
}

function validateVersion(text: string, path: FieldPath): FieldError[] {
  return [...validateSemanticVersion(text, path), ...attributeRules.checkValue("version", text, path)];
}

const oneOfNodes =
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

function validateNodes(device: Device, path: FieldPath, { choosesNodes }: DeviceRules): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device;
  if (!choosesNodes) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return [];
    const why =
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
    return [invalid(path, undefined, why)];
  }
  const given: string[] = [];
  const errors: FieldError[] = [];
  if (nodeName === "") errors.push(invalid(path.child("nodeName"), nodeName, "must not be empty"));
  else if (nodeName !== undefined) {
    given.push("`nodeName`");
    append(errors, deviceRules.check(device, path, "nodeName"));
  }
  if (nodeSelector !== undefined) {
    given.push("`nodeSelector`");
    append(errors, validateNodeSelector(nodeSelector, path.child("nodeSelector"), { anyValues: false }));
  }
  if (allNodes === true) given.push("`allNodes`");
  else if (allNodes === false) {
    errors.push(invalid(path.child("allNodes"), allNodes, "must be either unset or set to true"));
  }
  if (given.length === 0) errors.push(required(path, oneOfNodes));
  else if (given.length > 1) errors.push(invalid(path, `{${given.join(", ")}}`, oneOfNodes));
  return errors;
}

function validateMappings(
  { nodeAllocatableResourceMappings = {}, capacity = {} }: Device,
  path: FieldPath,
): FieldError[] {
  return Object.entries(nodeAllocatableResourceMappings).flatMap(([name, mapping]) =>
    validateMapping(mapping, Object.hasOwn(capacity, mapping.capacityKey ?? ""), path.key(name)),
  );
}

function validateMapping(
  { capacityKey, allocationMultiplier }: NodeAllocatableResourceMapping,
  isKnown: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const keyPath = path.child("capacityKey");
  const multiplierPath = path.child("allocationMultiplier");
  if (capacityKey === undefined && allocationMultiplier === undefined) {
    errors.push(required(path, "at least one of capacityKey or allocationMultiplier must be set"));
  }
  if (capacityKey === "") errors.push(invalid(keyPath, "", "capacityKey must not be an empty string"));
  else if (capacityKey !== undefined && !isKnown) errors.push(notFoundField(keyPath, capacityKey));
  if (allocationMultiplier !== undefined && Quantity.parse(allocationMultiplier).sign() <= 0) {
    errors.push(invalid(multiplierPath, allocationMultiplier, "must be positive"));
  }
  return errors;
}

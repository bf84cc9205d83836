import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateDriverName } from "../../checks/driver-name.js";
import { printInternalList } from "../../checks/internal-form.js";
import { validateSet } from "../../checks/lists.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ResourcePool, ResourceSlice, ResourceSliceSpec } from "../../gen/resource-v1.js";
import { validatePoolName } from "../names.js";
import { resourceV1Types } from "../v1/types.js";
import { knownCountersOf, validateSharedCounters } from "./counter-validation.js";
import { validateDevice } from "./device-validation.js";

const devicesMax = 128;
/** Limit for slices whose devices have taints, counters or lists. */
const largeDevicesMax = 64;

const specRules = fieldRules<ResourceSliceSpec>(resourceV1Types, "ResourceSliceSpec");
const poolRules = fieldRules<ResourcePool>(resourceV1Types, "ResourcePool");

/** `old` is undefined where the slice is new. */
export function validateResourceSlice(
  { spec }: ResourceSlice,
  old: ResourceSlice | undefined,
  context: Pick<ApiContext, "level" | "schemas">,
): FieldError[] {
  const { level } = context;
  const path = FieldPath.of("spec");
  const errors = validateDriverName(spec.driver, path.child("driver"));
  append(errors, validatePool(spec.pool, path.child("pool")));
  if (old !== undefined) append(errors, validateUnchanged(spec, old.spec, path, level));
  append(errors, validateNodes(spec, path, context));
  const { devices = [], sharedCounters = [] } = spec;
  const isDivided = isAtLeast(level, "1.35");
  if (isDivided && devices.length > 0 && sharedCounters.length > 0) {
    errors.push(invalid(path, "", "only one of `sharedCounters` or `devices` is allowed"));
  }
  const before = new Map(old?.spec.devices?.map((device) => [device.name, device]));
  const rules = {
    level,
    choosesNodes: spec.perDeviceNodeSelection === true,
    knownCounters: knownCountersOf(spec, level),
  };
  append(
    errors,
    validateSet(devices, path.child("devices"), maxOfDevices(spec, level), {
      level,
      key: { of: ({ name }) => name, field: "name" },
      validate: (device, at) => validateDevice(device, before.get(device.name), at, rules),
    }),
  );
  return [...errors, ...validateSharedCounters(spec, path, level)];
}

function validatePool(pool: ResourcePool, path: FieldPath): FieldError[] {
  return [
    ...validatePoolName(pool.name, path.child("name")),
    ...poolRules.check(pool, path, "resourceSliceCount", "generation"),
  ];
}

function validateUnchanged(
  spec: ResourceSliceSpec,
  old: ResourceSliceSpec,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  // Before 1.33, an absent node name is shown as an empty one.
  const named = ({ nodeName, ...others }: ResourceSliceSpec): ResourceSliceSpec =>
    isAtLeast(level, "1.33") ? { nodeName, ...others } : { nodeName: nodeName ?? "", ...others };
  return [
    ...poolRules.unchanged(spec.pool, old.pool, path.child("pool"), "name"),
    ...specRules.unchanged(named(spec), named(old), path, "driver", "nodeName"),
  ];
}

function validateNodes(
  spec: ResourceSliceSpec,
  path: FieldPath,
  { level, schemas }: Pick<ApiContext, "level" | "schemas">,
): FieldError[] {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec;
  const given: string[] = [];
  const errors: FieldError[] = [];
  if (nodeName === "") {
    const why = "must be either unset or set to a non-empty string";
    errors.push(invalid(path.child("nodeName"), nodeName, why));
  } else if (nodeName !== undefined) {
    given.push("`nodeName`");
    append(errors, specRules.check(spec, path, "nodeName"));
  }
  if (nodeSelector !== undefined) {
    given.push("`nodeSelector`");
    const at = path.child("nodeSelector");
    append(errors, validateNodeSelector(nodeSelector, at, { anyValues: !isAtLeast(level, "1.32") }));
    const terms = nodeSelector.nodeSelectorTerms;
    if (terms?.length !== 1) {
      const what = isAtLeast(level, "1.32") ? "node selector term" : "selector term";
      const printed = printInternalList(schemas, "core/v1.NodeSelectorTerm", terms);
      errors.push(invalid(at.child("nodeSelectorTerms"), printed, `must have exactly one ${what}`));
    }
  }
  for (const [field, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value === true) given.push(`\`${field}\``);
    else if (value === false) {
      errors.push(invalid(path.child(field), value, "must be either unset or set to true"));
    }
  }
  if (given.length === 1) return errors;
  const isNewer = isAtLeast(level, "1.33");
  const oneOf = isNewer
    ? "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
    : "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required";
  if (given.length === 0) return [...errors, required(path, oneOf)];
  if (!isNewer) return [...errors, invalid(path, undefined, oneOf)];
  return [...errors, invalid(path, `{${given.join(", ")}}`, `${oneOf}, but multiple fields are set`)];
}

function maxOfDevices({ devices = [] }: ResourceSliceSpec, level: ApiLevel): number {
  if (!isAtLeast(level, "1.35")) return devicesMax;
  const hasLarge = devices.some(
    ({ taints = [], consumesCounters = [], attributes = {} }) =>
      taints.length > 0 ||
      consumesCounters.length > 0 ||
      Object.values(attributes).some(({ ints, bools, strings, versions }) =>
        [ints, bools, strings, versions].some((list) => list !== undefined),
      ),
  );
  return hasLarge ? largeDevicesMax : devicesMax;
}

import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { dns1123LabelMaxLength, isDns1123Label } from "../../../apimachinery/validation/dns-names.js";
import { validateMap, validateSet } from "../../checks/lists.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  Counter,
  CounterSet,
  Device,
  DeviceCounterConsumption,
  ResourceSliceSpec,
} from "../../gen/resource-v1.js";
import { resourceV1Types } from "../v1/types.js";

const setsMax = 8;
const consumptionsMax = 2;
const countersMax = 32;
/** Limit of counters in all sets, of one device, and of all devices together, at levels without a limit for each set. */
const sharedCountersMax = 32;
const deviceCountersMax = 32;
const consumedCountersMax = 1024;

const setRules = fieldRules<CounterSet>(resourceV1Types, "CounterSet");
const consumptionRules = fieldRules<DeviceCounterConsumption>(resourceV1Types, "DeviceCounterConsumption");

/** The sets of a slice with their counters, by name. */
export type KnownCounters = ReadonlyMap<string, { readonly [name: string]: Counter }>;

/** Up to 1.34, devices use counters of their own slice; later, of any slice in the pool. */
export function knownCountersOf(
  { sharedCounters = [] }: ResourceSliceSpec,
  level: ApiLevel,
): KnownCounters | undefined {
  if (isAtLeast(level, "1.35")) return undefined;
  return new Map(sharedCounters.map(({ name, counters = {} }) => [name, counters]));
}

export function validateSharedCounters(
  { devices = [], sharedCounters = [] }: ResourceSliceSpec,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const isLimited = isAtLeast(level, "1.35");
  const errors = isLimited ? [] : validateTotals(devices, sharedCounters, path);
  const max = isLimited ? setsMax : Number.POSITIVE_INFINITY;
  return [
    ...errors,
    ...validateSet(sharedCounters, path.child("sharedCounters"), max, {
      level,
      key: { of: ({ name }) => name, field: "name" },
      validate: (set, at) => [
        ...setRules.check(set, at, "name", "counters"),
        ...validateCounters(set.counters, at.child("counters"), level),
      ],
    }),
  ];
}

function validateTotals(
  devices: readonly Device[],
  sets: readonly CounterSet[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const consumed = devices.reduce((sum, { consumesCounters }) => sum + countersIn(consumesCounters), 0);
  const shared = countersIn(sets);
  if (consumed > consumedCountersMax) {
    const why = `the total number of counters in devices must not exceed ${consumedCountersMax}`;
    errors.push(invalid(path.child("devices"), consumed, why));
  }
  if (shared > sharedCountersMax) {
    const why = `the total number of shared counters must not exceed ${sharedCountersMax}`;
    errors.push(invalid(path.child("sharedCounters"), shared, why));
  }
  return errors;
}

function countersIn(sets: readonly (CounterSet | DeviceCounterConsumption)[] = []): number {
  return sets.reduce((sum, { counters = {} }) => sum + Object.keys(counters).length, 0);
}

/** Validates the counters that a device consumes. `known` is undefined if the sets may be in another slice. */
export function validateConsumptions(
  { consumesCounters = [] }: Device,
  path: FieldPath,
  known: KnownCounters | undefined,
  level: ApiLevel,
): FieldError[] {
  const at = path.child("consumesCounters");
  const max = isAtLeast(level, "1.35") ? consumptionsMax : Number.POSITIVE_INFINITY;
  const errors = validateSet(consumesCounters, at, max, {
    level,
    key: { of: ({ counterSet }) => counterSet, field: "counterSet" },
    validate: (consumption, each) => [
      ...consumptionRules.check(consumption, each, "counterSet", "counters"),
      ...validateCounters(consumption.counters, each.child("counters"), level),
    ],
  });
  if (known === undefined) return errors;
  const count = countersIn(consumesCounters);
  if (count > deviceCountersMax) {
    errors.push(invalid(path, count, `the total number of counters must not exceed ${deviceCountersMax}`));
  }
  for (const [index, consumption] of consumesCounters.entries()) {
    append(errors, validateReferences(consumption, at.index(index), known));
  }
  return errors;
}

function validateReferences(
  { counterSet, counters = {} }: DeviceCounterConsumption,
  path: FieldPath,
  known: KnownCounters,
): FieldError[] {
  const set = known.get(counterSet);
  if (set === undefined) {
    const why = "must reference a counterSet defined in the ResourceSlice sharedCounters";
    return [invalid(path.child("counterSet"), counterSet, why)];
  }
  const why = "must reference a counter defined in the ResourceSlice sharedCounters";
  return Object.keys(counters)
    .filter((name) => !Object.hasOwn(set, name))
    .map((name) => invalid(path.child("counters"), name, why));
}

function validateCounters(
  counters: { readonly [name: string]: Counter } | undefined,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  return validateMap(counters, path, {
    level,
    max: isAtLeast(level, "1.35") ? countersMax : Number.POSITIVE_INFINITY,
    shownMax: dns1123LabelMaxLength,
    key: (name, at) => isDns1123Label(name).map((problem) => invalid(at, name, problem)),
    value: () => [],
  });
}

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
/** The most counters of all sets together, at levels that do not limit each set. */
const sharedCountersMax = 32;
const consumedCountersMax = 2048;

const setRules = fieldRules<CounterSet>(resourceV1Types, "CounterSet");
const consumptionRules = fieldRules<DeviceCounterConsumption>(resourceV1Types, "DeviceCounterConsumption");

/** The sets of a slice. Up to Kubernetes 1.34 they have to be in the slice of the devices that use them. */
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
  const known = new Map(sets.map(({ name, counters = {} }) => [name, counters]));
  let consumed = 0;
  for (const [index, { consumesCounters = [] }] of devices.entries()) {
    for (const [place, { counterSet, counters = {} }] of consumesCounters.entries()) {
      const at = path.child("devices").index(index).child("consumesCounters").index(place);
      const names = Object.keys(counters);
      consumed += names.length;
      const set = known.get(counterSet);
      if (set === undefined) {
        const why = "must reference a counterSet defined in the ResourceSlice sharedCounters";
        errors.push(invalid(at.child("counterSet"), counterSet, why));
      }
      for (const name of set === undefined ? [] : names) {
        if (Object.hasOwn(set ?? {}, name)) continue;
        const why = "must reference a counter defined in the ResourceSlice sharedCounters";
        errors.push(invalid(at.child("counters"), name, why));
      }
    }
  }
  const shared = sets.reduce((sum, { counters = {} }) => sum + Object.keys(counters).length, 0);
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

/** What a device takes. */
export function validateConsumptions(
  consumptions: readonly DeviceCounterConsumption[] | undefined,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const max = isAtLeast(level, "1.35") ? consumptionsMax : Number.POSITIVE_INFINITY;
  return validateSet(consumptions, path, max, {
    level,
    key: { of: ({ counterSet }) => counterSet, field: "counterSet" },
    validate: (consumption, at) => [
      ...consumptionRules.check(consumption, at, "counterSet", "counters"),
      ...validateCounters(consumption.counters, at.child("counters"), level),
    ],
  });
}

function validateCounters(
  counters: { readonly [name: string]: Counter } | undefined,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  return validateMap(counters, path, {
    max: isAtLeast(level, "1.35") ? countersMax : Number.POSITIVE_INFINITY,
    shownMax: dns1123LabelMaxLength,
    key: (name, at) => isDns1123Label(name).map((problem) => invalid(at, name, problem)),
    value: () => [],
  });
}

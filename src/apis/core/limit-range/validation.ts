import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { int64Max } from "../../../apimachinery/values/scaled-integers.js";
import type { Naming } from "../../../naming/naming.js";
import {
  validateContainerResourceName,
  validateResourceName,
} from "../../checks/resource-name-validation.js";
import { isOvercommitAllowed } from "../../checks/resource-names.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { LimitRange, LimitRangeItem } from "../../gen/core-v1.js";
import { amountIn, type ResourceList } from "../pod-spec/resource-list.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<LimitRangeItem>(coreV1Types, "LimitRangeItem");

const limitTypes: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

/** Above this, thousandths do not fit 64 bits. */
const milliValueMax = int64Max / 1000n;

export function limitRangeErrors(naming: Naming, object: LimitRange): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of("spec", "limits");
  const types = new Set<string>();
  for (const [index, item] of (object.spec.limits ?? []).entries()) {
    const itemPath = path.index(index);
    append(errors, typeErrors(item, itemPath));
    if (types.has(item.type)) errors.push(duplicate(itemPath.child("type"), item.type));
    types.add(item.type);
    append(errors, itemErrors(naming, item, itemPath));
  }
  return errors;
}

function typeErrors(item: LimitRangeItem, path: FieldPath): FieldError[] {
  const { type } = item;
  const errors = rules.check(item, path, "type");
  if (errors.length > 0 || type.includes("/") || limitTypes.has(type)) return errors;
  return [invalid(path.child("type"), type, "must be a standard limit type or fully qualified")];
}

function itemErrors(naming: Naming, item: LimitRangeItem, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const keys = new Set<string>();
  function collect(name: string, list: ResourceList | undefined): void {
    for (const key of Object.keys(list ?? {})) {
      append(errors, nameErrors(naming, item.type, key, path.child(name).key(key)));
      keys.add(key);
    }
  }
  collect("max", item.max);
  collect("min", item.min);
  if (item.type === "Pod") {
    for (const name of ["default", "defaultRequest"] as const) {
      if (Object.keys(item[name] ?? {}).length === 0) continue;
      errors.push(forbidden(path.child(name), "may not be specified when `type` is 'Pod'"));
    }
  } else {
    collect("default", item.default);
    collect("defaultRequest", item.defaultRequest);
  }
  if (
    item.type === "PersistentVolumeClaim" &&
    item.min?.storage === undefined &&
    item.max?.storage === undefined
  ) {
    const why = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(path.child("limits"), why));
  }
  collect("maxLimitRequestRatio", item.maxLimitRequestRatio);
  for (const key of keys) {
    append(errors, amountErrors(naming, item, key, path));
  }
  return errors;
}

function nameErrors(naming: Naming, type: string, name: string, path: FieldPath): FieldError[] {
  return type === "Pod" || type === "Container"
    ? validateContainerResourceName(name, path, naming)
    : validateResourceName(name, path);
}

/** Checks that the amounts of one resource fit each other. */
function amountErrors(naming: Naming, item: LimitRangeItem, key: string, path: FieldPath): FieldError[] {
  const isPod = item.type === "Pod";
  const amounts: Amounts = {
    min: amount(item.min, key),
    max: amount(item.max, key),
    limit: isPod ? undefined : amount(item.default, key),
    request: isPod ? undefined : amount(item.defaultRequest, key),
    ratio: amount(item.maxLimitRequestRatio, key),
  };
  const problems = [...orderProblems(amounts), ...ratioProblems(amounts)];
  const { request, limit } = amounts;
  // A resource that cannot be overcommitted has equal requests and limits.
  if (request !== undefined && limit !== undefined && !isOvercommitAllowed(key, naming)) {
    if (limit.compare(request) !== 0) {
      const why = `default value ${limit} must equal to defaultRequest value ${request} in ${key}`;
      problems.push({ field: "defaultRequest", value: request, why });
    }
  }
  return problems.map(({ field, value, why }) => {
    const text = value.toString();
    const printed = new PrintedValue(
      () => printQuantity(text).text,
      () => JSON.stringify(text),
    );
    return invalid(path.child(field).key(key), printed, why);
  });
}

/** The amounts of one resource; pods have no default limit and request. */
interface Amounts {
  readonly min: Quantity | undefined;
  readonly max: Quantity | undefined;
  readonly limit: Quantity | undefined;
  readonly request: Quantity | undefined;
  readonly ratio: Quantity | undefined;
}

interface Problem {
  readonly field: keyof LimitRangeItem;
  readonly value: Quantity;
  readonly why: string;
}

/** Checks that min ≤ request ≤ limit ≤ max, for those that are set. */
function orderProblems({ min, max, limit, request }: Amounts): Problem[] {
  const rules = [
    { field: "min", value: min, lower: ["min", min], upper: ["max", max] },
    { field: "defaultRequest", value: request, lower: ["min", min], upper: ["default request", request] },
    { field: "defaultRequest", value: request, lower: ["default request", request], upper: ["max", max] },
    {
      field: "defaultRequest",
      value: request,
      lower: ["default request", request],
      upper: ["default limit", limit],
    },
    { field: "default", value: min, lower: ["min", min], upper: ["default", limit] },
    { field: "default", value: max, lower: ["default", limit], upper: ["max", max] },
  ] as const;
  return rules.flatMap(({ field, value, lower: [lowerName, lower], upper: [upperName, upper] }) => {
    if (value === undefined || lower === undefined || upper === undefined) return [];
    if (lower.compare(upper) <= 0) return [];
    return [{ field, value, why: `${lowerName} value ${lower} is greater than ${upperName} value ${upper}` }];
  });
}

function ratioProblems({ ratio, min, max }: Amounts): Problem[] {
  if (ratio === undefined) return [];
  const problems: Problem[] = [];
  const wrong = (why: string): void =>
    void problems.push({ field: "maxLimitRequestRatio", value: ratio, why });
  if (ratio.compare(Quantity.fromInt(1)) < 0) wrong(`ratio ${ratio} is less than 1`);
  const highest = min === undefined || max === undefined ? undefined : ratioOf(ratio, min, max);
  if (highest !== undefined && highest.asked > highest.possible) {
    wrong(`ratio ${ratio} is greater than max/min = ${printFloat(highest.possible)}`);
  }
  return problems;
}

function amount(list: ResourceList | undefined, key: string): Quantity | undefined {
  const text = amountIn(list, key);
  return text === undefined ? undefined : Quantity.parse(text);
}

/** In thousandths if they fit, else in whole units. */
function ratioOf(ratio: Quantity, min: Quantity, max: Quantity): { asked: number; possible: number } {
  if ([ratio, min, max].every((quantity) => quantity.value() < milliValueMax)) {
    return {
      asked: Number(ratio.milliValue()) / 1000,
      possible: Number(max.milliValue()) / Number(min.milliValue()),
    };
  }
  return { asked: Number(ratio.value()), possible: Number(max.value()) / Number(min.value()) };
}

function printFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? value.toFixed(6) : "+Inf";
}

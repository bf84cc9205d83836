import { celEnvironment } from "../../apimachinery/cel/cel-environment.js";
import { CelCompileError } from "../../apimachinery/cel/cel-error.js";
import { type CelType, scalarTypes, typeText } from "../../apimachinery/cel/cel-type.js";
import { compileCel } from "../../apimachinery/cel/compile-cel.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { celTypePrefix } from "../../naming/cel-names.js";
import { validateList } from "../checks/lists.js";
import type { ApiContext } from "../definition/api-context.js";
import { fieldRules } from "../definition/field-rules.js";
import type { CELDeviceSelector, DeviceSelector } from "../gen/resource-v1.js";
import { domainBytesMax, identifierBytesMax } from "./names.js";
import { resourceV1Types } from "./v1/types.js";

const selectorsMax = 32;
const rules = fieldRules<DeviceSelector>(resourceV1Types, "DeviceSelector");
const celRules = fieldRules<CELDeviceSelector>(resourceV1Types, "CELDeviceSelector");
const costMax = 1_000_000;
/** The most attributes of one device. */
const attributesMax = 32;
const attributeBytesMax = 64;

/** What decides which libraries expressions may use. */
export type SelectorContext = Pick<ApiContext, "level" | "oldestLevel" | "isEnabled">;

/** Expressions that are already stored are not validated again. */
export function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  path: FieldPath,
  context: SelectorContext,
  isStored: boolean,
): FieldError[] {
  return validateList(
    selectors,
    path,
    selectorsMax,
    (selector, at) => {
      const { cel } = selector;
      if (cel === undefined) return rules.check(selector, at, "cel");
      return isStored ? [] : validateExpression(cel, at.child("cel"), context);
    },
    context.level,
  );
}

function validateExpression(cel: CELDeviceSelector, at: FieldPath, context: SelectorContext): FieldError[] {
  const hasLimits = isAtLeast(context.level, "1.32");
  const tooLong = hasLimits ? celRules.check(cel, at, "expression") : [];
  if (tooLong.length > 0) return tooLong;
  const { expression } = cel;
  const path = at.child("expression");
  try {
    const { level, oldestLevel } = context;
    const environment = celEnvironment({ level, oldestLevel, isStored: false, purpose: "devices" });
    const { type, cost } = compileCel(expression, { device: deviceType(context) }, environment);
    if (type.kind !== "bool" && type.kind !== "dyn") {
      const why = `must evaluate to bool or the unknown type, not ${typeText(type)}`;
      return [invalid(path, expression, why)];
    }
    return hasLimits && cost > costMax ? [forbidden(path, "too complex, exceeds cost limit")] : [];
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return [invalid(path, expression, `compilation failed: ${error.message}`)];
  }
}

const domain: CelType = { kind: "string", sizeMax: domainBytesMax };
const identifier: CelType = { kind: "string", sizeMax: identifierBytesMax };
const attribute: CelType = { kind: "dyn", sizeMax: attributeBytesMax };

function byDomain(value: CelType): CelType {
  const inner: CelType = { kind: "map", key: identifier, value, sizeMax: attributesMax };
  return { kind: "map", key: domain, value: inner, sizeMax: attributesMax };
}

const fields: readonly (readonly [string, CelType])[] = [
  ["driver", domain],
  ["attributes", byDomain(attribute)],
  ["capacity", byDomain(scalarTypes.quantity)],
];

const singleDevice = deviceOf(fields);
const sharedDevice = deviceOf([...fields, ["allowMultipleAllocations", scalarTypes.bool]]);

function deviceOf(all: readonly (readonly [string, CelType])[]): CelType {
  return {
    kind: "object",
    name: `${celTypePrefix}.DRADevice`,
    fields: new Map(all.map(([name, type]) => [name, { name, type }])),
  };
}

/** The variable `device`. */
function deviceType({ isEnabled }: SelectorContext): CelType {
  return isEnabled("DRAConsumableCapacity") ? sharedDevice : singleDevice;
}

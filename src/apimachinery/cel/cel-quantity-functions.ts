import { Quantity } from "../values/quantity.js";
import { QuantityError } from "../values/quantity-text.js";
import { CelRuntimeError } from "./cel-error.js";
import { type CelFunction, define, type FunctionRules } from "./cel-function.js";
import { scalarTypes, typeText } from "./cel-type.js";
import { CelOpaque, type CelValue } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

/** Arithmetic with amounts of up to a thousand digits takes some microseconds. */
const calculating: FunctionRules = { cost: () => 100 };
const reading: FunctionRules = { cost: ([size = 0]) => 100 + size * 0.1 };
const readingTexts: FunctionRules = { ...reading, estimate: callEstimates.scan };
const typeName = typeText(scalarTypes.quantity);

function celQuantity(quantity: Quantity): CelOpaque<Quantity> {
  return new CelOpaque(typeName, quantity, String(quantity.inFormat("DecimalSI")));
}

function parsed(text: string): Quantity | undefined {
  try {
    return Quantity.parse(text);
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

function quantityOf(text: string): CelValue {
  try {
    return celQuantity(Quantity.parse(text));
  } catch (error) {
    throw error instanceof QuantityError ? new CelRuntimeError(error.message) : error;
  }
}

function integerOf({ value }: CelOpaque<Quantity>): bigint {
  const integer = value.asInt64();
  if (integer === undefined) throw new CelRuntimeError("cannot convert value to integer");
  return integer;
}

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", quantity library. */
export const quantityFunctions = [
  define("sign(quantity): int", ([{ value }]) => BigInt(value.sign()), calculating),
  define("quantity.isInteger(): bool", ([{ value }]) => value.asInt64() !== undefined, calculating),
  define("quantity.asInteger(): int", ([quantity]) => integerOf(quantity), calculating),
  define("quantity.asApproximateFloat(): double", ([{ value }]) => value.asNumber(), calculating),
  define("quantity.isGreaterThan(quantity): bool", ([a, b]) => a.value.compare(b.value) > 0, calculating),
  define("quantity.isLessThan(quantity): bool", ([a, b]) => a.value.compare(b.value) < 0, calculating),
  define("quantity.compareTo(quantity): int", ([a, b]) => BigInt(a.value.compare(b.value)), calculating),
  define("quantity.add(quantity): quantity", ([a, b]) => celQuantity(a.value.add(b.value)), calculating),
  define(
    "quantity.add(int): quantity",
    ([a, b]) => celQuantity(a.value.add(Quantity.fromInt(b))),
    calculating,
  ),
  define("quantity.sub(quantity): quantity", ([a, b]) => celQuantity(a.value.sub(b.value)), calculating),
  define(
    "quantity.sub(int): quantity",
    ([a, b]) => celQuantity(a.value.sub(Quantity.fromInt(b))),
    calculating,
  ),
];

/** `countsText`: cost estimates include the length of the text. */
export function quantityReaders(countsText: boolean): readonly CelFunction[] {
  const rules = countsText ? readingTexts : reading;
  return [
    define("quantity(string): quantity", ([text]) => quantityOf(text), rules),
    define("isQuantity(string): bool", ([text]) => parsed(text) !== undefined, rules),
  ];
}

import { CelRuntimeError } from "./cel-error.js";
import { CelUint } from "./cel-value.js";

const intMin = -(2n ** 63n);
const intMax = 2n ** 63n - 1n;
const uintMax = 2n ** 64n - 1n;

interface IntegerRange {
  readonly type: string;
  readonly pattern: RegExp;
  readonly min: bigint;
  readonly max: bigint;
}

export const intText: IntegerRange = { type: "int", pattern: /^[+-]?\d{1,64}$/, min: intMin, max: intMax };
export const uintText: IntegerRange = { type: "uint", pattern: /^\d{1,64}$/, min: 0n, max: uintMax };

export function asInt(value: bigint): bigint {
  if (value < intMin || value > intMax) throw new CelRuntimeError("integer overflow");
  return value;
}

export function asUint(value: bigint): CelUint {
  if (value < 0n || value > uintMax) throw new CelRuntimeError("unsigned integer overflow");
  return new CelUint(value);
}

export function notZero(value: bigint, problem: string): bigint {
  if (value === 0n) throw new CelRuntimeError(problem);
  return value;
}

export function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new CelRuntimeError("integer overflow");
  return asInt(BigInt(Math.trunc(value)));
}

function notConvertible(type: string): CelRuntimeError {
  return new CelRuntimeError(`type conversion error from 'string' to '${type}'`);
}

export function integerOf(text: string, { type, pattern, min, max }: IntegerRange): bigint {
  const value = pattern.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
  if (value === undefined || value < min || value > max) throw notConvertible(type);
  return value;
}

export function doubleOf(text: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    if (special[2]?.toLowerCase() === "nan") return Number.NaN;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.length > 400 || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    throw notConvertible("double");
  }
  return Number(text);
}

export function boolOf(text: string): boolean {
  if (["1", "t", "true", "TRUE", "True", "T"].includes(text)) return true;
  if (["0", "f", "false", "FALSE", "False", "F"].includes(text)) return false;
  throw notConvertible("bool");
}

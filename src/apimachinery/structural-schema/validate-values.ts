import { type FieldError, printValue, shortened } from "../errors/field-error.js";
import { floatText } from "../errors/go-number.js";
import { printUntyped } from "../errors/printed-structs.js";
import { quoted } from "../errors/quoted-text.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual } from "../json/json-values.js";
import { isInFormatRange, isOfFormat } from "../validation/formats.js";
import type { StructuralSchema } from "./structural-schema.js";
import type { ValueSet } from "./value-set.js";

/**
 * Limit of checks, each of one value against one schema: some tens of milliseconds. Kubernetes has none. Requests that may need as many
 * run in a lane, but the server's own writes validate on the serving thread whatever a request has stored.
 */
const checksMax = 1_000_000;
/** More problems than this are not reported: nobody reads them, and each is text of an answer. */
const problemsMax = 500;

export interface ValueError extends FieldError {
  /** Whether the value has another type or size than declared, or lacks a field: CEL rules cannot be checked. */
  readonly breaksDeclaration: boolean;
}

/**
 * The errors of `object` against its schema, with the words and paths of kube-apiserver 1.23. The object has its kind, apiVersion and
 * metadata.
 */
export function validateValues(object: JsonValue, schema: StructuralSchema): ValueError[] {
  return errorsOf(new Validation(undefined), object, schema);
}

/**
 * The same of an update, without the errors of parts that are as they were in `old`. Parts are compared through objects, maps and
 * associative lists, and not within alternatives of a schema. Source: KEP-4008.
 */
export function ratchetedErrors(
  object: JsonValue,
  old: JsonValue | undefined,
  schema: StructuralSchema,
): ValueError[] {
  return errorsOf(new Validation(old), object, schema);
}

function errorsOf(validation: Validation, object: JsonValue, schema: StructuralSchema): ValueError[] {
  const result = new Result(true);
  try {
    validation.check(object, schema, undefined, result);
  } catch (error) {
    if (!(error instanceof TooManyChecks)) throw error;
    return [
      {
        type: "FieldValueForbidden",
        field: "<nil>",
        body: "Forbidden: the object is too large to be validated against the alternatives of its schema",
        breaksDeclaration: false,
      },
    ];
  }
  return result.errors();
}

class TooManyChecks extends Error {}

/** The path of a value, formatted only for a problem. */
interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
  /** What was here before an update that is allowed to keep it. */
  readonly old?: JsonValue | undefined;
}

interface Problem {
  readonly key: string;
  readonly error: ValueError;
}

/** The problems of one schema, and how many checks passed: of several alternatives, the closest match is reported. */
class Result {
  readonly problems: Problem[] = [];
  matches = 0;
  isValid = true;
  /** Whether the problems are reported: formatting them costs far more than finding them. */
  readonly #isTold: boolean;
  readonly #seen = new Set<string>();

  constructor(isTold: boolean) {
    this.#isTold = isTold;
  }

  add(make: () => Problem): void {
    this.isValid = false;
    if (!this.#isTold || this.problems.length >= problemsMax) return;
    const problem = make();
    if (this.#seen.has(problem.key)) return;
    this.#seen.add(problem.key);
    this.problems.push(problem);
  }

  merge(other: Result): void {
    for (const problem of other.problems) this.add(() => problem);
    if (!other.isValid) this.isValid = false;
    this.matches += other.matches;
  }

  /** Takes back what was added since there were `count` problems. */
  forget(count: number, wasValid: boolean): void {
    for (const { key } of this.problems.splice(count)) this.#seen.delete(key);
    this.isValid = wasValid;
  }

  inner(): Result {
    return new Result(this.#isTold);
  }

  /** Whether another problem would be noticed. */
  get mayHaveMore(): boolean {
    return this.isValid || (this.#isTold && this.problems.length < problemsMax);
  }

  get isTold(): boolean {
    return this.#isTold;
  }

  errors(): ValueError[] {
    return this.problems.map(({ error }) => error);
  }
}

class Validation {
  #checks = 0;
  /** The whole object before; undefined where nothing is allowed to stay as it was. */
  readonly #old: JsonValue | undefined;
  #alternatives = 0;

  constructor(old: JsonValue | undefined) {
    this.#old = old;
  }

  check(value: JsonValue, schema: StructuralSchema, at: Place | undefined, result: Result): void {
    if (this.#old === undefined || this.#alternatives > 0) {
      this.#check(value, schema, at, result);
      return;
    }
    const { isValid } = result;
    const count = result.problems.length;
    this.#check(value, schema, at, result);
    const old = this.#before(at);
    if (result.isValid && result.problems.length === count) return;
    if (old !== undefined && jsonEqual(value, old)) result.forget(count, isValid);
  }

  #before(at: Place | undefined): JsonValue | undefined {
    return at === undefined ? this.#old : at.old;
  }

  #check(value: JsonValue, schema: StructuralSchema, at: Place | undefined, result: Result): void {
    if (++this.#checks > checksMax) throw new TooManyChecks();
    if (value === null) {
      if (hasType(schema) && !schema.nullable) result.add(() => typeProblem(at, schema, "null"));
      checkEnum(value, schema, at, result);
      return;
    }
    const actual = typeName(value);
    if (hasType(schema) && !fitsType(value, actual, schema))
      result.add(() => typeProblem(at, schema, actual));
    else result.matches++;
    if (hasJunctors(schema)) this.#checkJunctors(value, schema, at, result);
    this.#checkContent(value, schema, at, result);
  }

  #checkContent(value: JsonValue, schema: StructuralSchema, at: Place | undefined, result: Result): void {
    if (isJsonArray(value)) {
      const { items } = schema;
      if (items !== undefined) {
        const before = this.#old === undefined ? undefined : oldItems(schema, this.#before(at));
        for (const [index, item] of value.entries()) {
          const old = before?.get(itemKey(item, schema));
          this.check(item, items, { parent: at, step: index, old }, result);
        }
      }
      checkList(value, schema, at, result);
      return;
    }
    if (typeof value === "string") checkString(value, schema, at, result);
    else if (typeof value === "number" || typeof value === "bigint") checkNumber(value, schema, at, result);
    checkEnum(value, schema, at, result);
    if (!isJsonObject(value) || !checkCount(value, schema, at, result)) return;
    if (hasMemberSchemas(schema)) this.#checkMembers(value, schema, at, result);
    checkRequired(value, schema, at, result);
  }

  #checkMembers(object: JsonObject, schema: StructuralSchema, at: Place | undefined, result: Result): void {
    for (const name in object) this.#checkMember(object[name], name, schema, at, result);
  }

  #checkMember(
    member: JsonValue | undefined,
    name: string,
    schema: StructuralSchema,
    at: Place | undefined,
    result: Result,
  ): void {
    if (member === undefined) return;
    const property = memberSchema(name, schema, at, result);
    if (property === undefined) return;
    const before = this.#old === undefined ? undefined : this.#before(at);
    const old = isJsonObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    this.check(member, property, { parent: at, step: name, old }, result);
  }

  #checkJunctors(value: JsonValue, schema: StructuralSchema, at: Place | undefined, result: Result): void {
    this.#alternatives++;
    this.#checkAlternatives(value, schema, at, result);
    this.#alternatives--;
  }

  #checkAlternatives(
    value: JsonValue,
    { allOf, anyOf, oneOf, not }: StructuralSchema,
    at: Place | undefined,
    result: Result,
  ): void {
    if (anyOf.length > 0) this.#checkAny(value, anyOf, at, result);
    if (oneOf.length > 0) this.#checkOne(value, oneOf, at, result);
    if (allOf.length > 0) this.#checkAll(value, allOf, at, result);
    if (not === undefined) return;
    const inner = new Result(false);
    this.check(value, not, at, inner);
    if (inner.isValid) result.add(() => composite(at, "must not validate the schema (not)"));
  }

  #checkAny(
    value: JsonValue,
    schemas: readonly StructuralSchema[],
    at: Place | undefined,
    result: Result,
  ): void {
    const { valid, best } = this.#tryAll(value, schemas, at, true);
    if (valid > 0) return;
    result.add(() => composite(at, "must validate at least one schema (anyOf)"));
    if (best !== undefined && result.isTold) this.check(value, best, at, result);
  }

  #checkOne(
    value: JsonValue,
    schemas: readonly StructuralSchema[],
    at: Place | undefined,
    result: Result,
  ): void {
    const { valid, best } = this.#tryAll(value, schemas, at, false);
    if (valid === 1) return;
    const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
    result.add(() => composite(at, `must validate one and only one schema (oneOf). ${found}`));
    if (valid === 0 && best !== undefined && result.isTold) this.check(value, best, at, result);
  }

  #checkAll(
    value: JsonValue,
    schemas: readonly StructuralSchema[],
    at: Place | undefined,
    result: Result,
  ): void {
    let failed = 0;
    for (const schema of schemas) {
      const inner = result.inner();
      this.check(value, schema, at, inner);
      if (!inner.isValid) failed++;
      result.merge(inner);
    }
    if (failed === 0) return;
    const none = failed === schemas.length ? ". None validated" : "";
    result.add(() => composite(at, `must validate all the schemas (allOf)${none}`));
  }

  /** How many of the alternatives are valid, and which of the others fits best. */
  #tryAll(
    value: JsonValue,
    schemas: readonly StructuralSchema[],
    at: Place | undefined,
    stopsAtFirst: boolean,
  ): { readonly valid: number; readonly best: StructuralSchema | undefined } {
    let valid = 0;
    let best: StructuralSchema | undefined;
    let bestMatches = -1;
    for (const schema of schemas) {
      const inner = new Result(false);
      this.check(value, schema, at, inner);
      if (inner.isValid) {
        valid++;
        if (stopsAtFirst) break;
      } else if (inner.matches > bestMatches) {
        best = schema;
        bestMatches = inner.matches;
      }
    }
    return { valid, best };
  }
}

/** The items of an associative list by their keys; undefined for other lists, whose items have no identity. */
function oldItems(
  schema: StructuralSchema,
  old: JsonValue | undefined,
): ReadonlyMap<string, JsonValue> | undefined {
  if (schema.listType !== "map" || !isJsonArray(old)) return undefined;
  return new Map(old.map((item) => [itemKey(item, schema), item]));
}

function itemKey(item: JsonValue, { listMapKeys }: StructuralSchema): string {
  return isJsonObject(item) ? JSON.stringify(listMapKeys.map((key) => String(item[key]))) : "";
}

function hasJunctors({ allOf, anyOf, oneOf, not }: StructuralSchema): boolean {
  return allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0 || not !== undefined;
}

/** What is checked of a list after its items. */
function checkList(
  items: readonly JsonValue[],
  schema: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  checkLength(items, schema, at, result);
  checkEnum(items, schema, at, result);
}

function checkLength(
  items: readonly JsonValue[],
  { minItems, maxItems }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  if (minItems !== undefined && items.length < minItems) {
    result.add(() => invalidValue(at, items.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && items.length > maxItems)
    result.add(() => tooLarge(at, items.length, `should have at most ${maxItems} items`));
}

/** Whether an object has as many members as it may; the members of others are not checked. */
function checkCount(
  object: JsonObject,
  { minProperties, maxProperties }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): boolean {
  if (minProperties === undefined && maxProperties === undefined) return true;
  const count = countMembers(object);
  if (minProperties !== undefined && count < minProperties) {
    result.add(() => invalidValue(at, minProperties, `should have at least ${minProperties} properties`));
    return false;
  }
  if (maxProperties !== undefined && count > maxProperties) {
    // Kubernetes prints the limit here, and the length of a list.
    result.add(() => tooLarge(at, maxProperties, `should have at most ${maxProperties} properties`));
    return false;
  }
  return true;
}

function hasMemberSchemas({ properties, additional }: StructuralSchema): boolean {
  return properties.size > 0 || additional !== undefined;
}

/** Undefined for a member that is not to be checked; one that is forbidden is a problem. */
function memberSchema(
  name: string,
  { properties, additional }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): StructuralSchema | undefined {
  const property = properties.get(name) ?? additional;
  if (typeof property === "object") return property;
  if (property === false) {
    result.add(() => {
      const text = `${pathOf({ parent: at, step: name })} in body is a forbidden property`;
      return problem(at, `Invalid value: ${printValue(name)}`, text);
    });
  }
  return undefined;
}

function checkRequired(
  object: JsonObject,
  { required }: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  for (const name of required) {
    if (Object.hasOwn(object, name) && object[name] !== undefined) continue;
    // Where there are many items, each may lack many members.
    if (!result.mayHaveMore) return;
    result.add(() => requiredProblem(fieldOf({ parent: at, step: name })));
  }
}

function hasType(schema: StructuralSchema): boolean {
  return schema.type !== undefined || schema.isIntOrString;
}

function fitsType(value: JsonValue, actual: string, schema: StructuralSchema): boolean {
  if (schema.isIntOrString) return actual === "string" || isInteger(value);
  if (actual === schema.type) return true;
  if (schema.type === "integer") return isInteger(value);
  return schema.type === "number" && actual === "integer";
}

function isInteger(value: JsonValue): boolean {
  return typeof value === "bigint" ? isInt64(value) : Number.isSafeInteger(value);
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function typeName(value: JsonValue): string {
  if (isJsonArray(value)) return "array";
  if (isInteger(value)) return "integer";
  return typeof value === "bigint" ? "number" : typeof value;
}

function countMembers(object: JsonObject): number {
  let count = 0;
  for (const name in object) if (object[name] !== undefined) count++;
  return count;
}

function checkString(value: string, schema: StructuralSchema, at: Place | undefined, result: Result): void {
  const { maxLength, minLength, pattern, format } = schema;
  if (maxLength !== undefined && value.length > maxLength && lengthOf(value) > maxLength) {
    result.add(() => tooLarge(at, value, `should be at most ${maxLength} chars long`));
  } else if (minLength !== undefined && (value.length < minLength || lengthOf(value) < minLength)) {
    result.add(() => invalidValue(at, value, `should be at least ${minLength} chars long`));
  } else if (pattern?.isBeyond(value) === true) {
    result.add(() => invalidValue(at, value, `is too long to be matched against '${pattern.text}'`));
  } else if (pattern !== undefined && !pattern.matches(value)) {
    result.add(() => invalidValue(at, value, `should match '${pattern.text}'`));
  }
  if (format !== "" && !isOfFormat(value, format)) {
    result.add(() => invalidValue(at, value, `must be of type ${format}: ${quoted(value)}`));
  }
}

/** In Unicode code points. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00)
      length--;
  }
  return length;
}

function checkNumber(
  value: number | bigint,
  schema: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  const { type = "", format, multipleOf, exclusiveMaximum, exclusiveMinimum } = schema;
  if (format !== "" && !isInFormatRange(value, type, format)) {
    // Kubernetes reports it for no field.
    const why = `Checked value must be of type ${type} with format ${format} in ${pathOf(at)}`;
    result.add(() => problem(undefined, 'Invalid value: ""', why));
  }
  // Kubernetes compares integers with the whole part of a limit.
  const whole = isInteger(value);
  const limitOf = (limit: number | undefined): number | undefined =>
    whole && limit !== undefined ? Math.trunc(limit) : limit;
  const print = (limit: number): string => (whole ? String(limit) : floatText(limit));
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    result.add(() => invalidValue(at, value, `should be a multiple of ${floatText(multipleOf)}`));
  }
  const maximum = limitOf(schema.maximum);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const words = exclusiveMaximum ? "should be less than" : "should be less than or equal to";
    result.add(() => invalidValue(at, value, `${words} ${print(maximum)}`));
  }
  const minimum = limitOf(schema.minimum);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const words = exclusiveMinimum ? "should be greater than" : "should be greater than or equal to";
    result.add(() => invalidValue(at, value, `${words} ${print(minimum)}`));
  }
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (isInteger(value) && Number.isSafeInteger(factor) && factor !== 0)
    return typeof value === "bigint" ? value % BigInt(factor) === 0n : value % factor === 0;
  const quotient = Number(value) / factor;
  if (Math.abs(quotient) > Number.MAX_SAFE_INTEGER) return false;
  // Decimal fractions are inexact in binary: 0.3 must count as a multiple of 0.1.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function checkEnum(value: JsonValue, schema: StructuralSchema, at: Place | undefined, result: Result): void {
  const allowed = schema.enum;
  if (allowed === undefined || allowed.has(value)) return;
  result.add(() => enumProblem(value, allowed, fieldOf(at)));
}

function enumProblem(value: JsonValue, { text }: ValueSet, field: string): Problem {
  const body = `Unsupported value: ${printValue(printUntyped(value))}: supported values: ${text}`;
  return {
    // Of many long lists, which differ in their length if not in their beginning.
    key: `enum ${field} ${text.length} ${text.slice(0, 1000)}`,
    error: { type: "FieldValueNotSupported", field, body, breaksDeclaration: true },
  };
}

function requiredProblem(field: string): Problem {
  return {
    key: `required ${field}`,
    error: { type: "FieldValueRequired", field, body: "Required value", breaksDeclaration: true },
  };
}

function typeProblem(at: Place | undefined, schema: StructuralSchema, actual: string): Problem {
  const expected = schema.isIntOrString ? "integer,string" : (schema.type ?? "");
  const text = `${pathOf(at)} in body must be of type ${expected}: "${actual}"`;
  return problem(at, `Invalid value: "${actual}"`, text, true);
}

function invalidValue(at: Place | undefined, value: JsonValue, why: string): Problem {
  return problem(at, `Invalid value: ${printValue(printUntyped(value))}`, `${pathOf(at)} in body ${why}`);
}

function tooLarge(at: Place | undefined, value: JsonValue, why: string): Problem {
  return problem(at, `Invalid value: ${printValue(value)}`, `${pathOf(at)} in body ${why}`, true);
}

/** Reported for the object as a whole, as kube-apiserver does. */
function composite(at: Place | undefined, why: string): Problem {
  return problem(undefined, 'Invalid value: ""', `${quoted(pathOf(at))} ${why}`);
}

function problem(at: Place | undefined, head: string, detail: string, breaksDeclaration = false): Problem {
  const field = fieldOf(at);
  const error = { type: "FieldValueInvalid", field, body: `${head}: ${detail}`, breaksDeclaration } as const;
  return { key: `${field} ${detail}`, error };
}

function fieldOf(at: Place | undefined): string {
  return at === undefined ? "<nil>" : pathOf(at);
}

/** A key in it may be as long as the object. */
function pathOf(last: Place | undefined): string {
  const steps: (string | number)[] = [];
  for (let at = last; at !== undefined; at = at.parent) steps.push(at.step);
  let path = "";
  for (const step of steps.reverse()) {
    if (typeof step === "number") path += `[${step}]`;
    else path += path === "" ? step : `.${step}`;
  }
  return shortened(path);
}

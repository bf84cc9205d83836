import { printValue } from "../errors/printed-value.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import { checkCount, checkLength, checkRequired } from "./check-collection.js";
import { checkEnum, checkNumber, checkString } from "./check-scalar.js";
import type { StructuralSchema } from "./structural-schema.js";
import { isUnchanged, itemsByKey } from "./unchanged-value.js";
import {
  composite,
  noField,
  type Place,
  pathOf,
  problem,
  Result,
  typeProblem,
  type ValueError,
} from "./value-problem.js";
import { fitsType, hasType, typeName } from "./value-type.js";

/**
 * Limit of checks, each of one value against one schema: some tens of milliseconds. Kubernetes has none. Requests that may need as many
 * run in a lane, but the server's own writes validate on the serving thread whatever a request has stored.
 */
const checksMax = 1_000_000;

/**
 * The errors of a value against its schema, with the paths of kube-apiserver: of an object with its kind, apiVersion and metadata, or of
 * the part of one at `field`. Texts of errors name the path within the part.
 */
export function validateValues(value: JsonValue, schema: StructuralSchema, field?: string): ValueError[] {
  return below(field, errorsOf(new Validation(undefined), value, schema));
}

/**
 * The same for an update, without the errors of parts that are unchanged since `old`. Parts are compared through objects, maps and
 * associative lists, and not within alternatives of a schema. Source: KEP-4008.
 */
export function ratchetedErrors(
  value: JsonValue,
  old: JsonValue | undefined,
  schema: StructuralSchema,
  field?: string,
): ValueError[] {
  return below(field, errorsOf(new Validation(old), value, schema));
}

function below(field: string | undefined, errors: ValueError[]): ValueError[] {
  if (field === undefined) return errors;
  return errors.map((error) => ({
    ...error,
    field: error.field === noField || error.field === "" ? field : `${field}.${error.field}`,
  }));
}

function errorsOf(validation: Validation, value: JsonValue, schema: StructuralSchema): ValueError[] {
  const result = new Result(true);
  try {
    validation.check(value, schema, undefined, result);
  } catch (error) {
    if (!(error instanceof TooManyChecks)) throw error;
    return [
      {
        type: "FieldValueForbidden",
        field: noField,
        body: "Forbidden: the object is too large to be validated against the alternatives of its schema",
        breaksDeclaration: false,
      },
    ];
  }
  return result.errors();
}

class TooManyChecks extends Error {}

class Validation {
  #checks = 0;
  /** The whole old value; undefined if an update may keep nothing invalid. */
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
    if (old !== undefined && isUnchanged(value, old, schema)) result.forget(count, isValid);
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
        const before = this.#old === undefined ? undefined : itemsByKey(schema, this.#before(at));
        for (const [index, item] of value.entries()) {
          const old = before?.sameAs(item);
          this.check(item, items, { parent: at, step: index, old }, result);
        }
      }
      checkLength(value, schema, at, result);
      checkEnum(value, schema, at, result);
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
    const isAdditional = !schema.properties.has(name);
    const before = this.#old === undefined ? undefined : this.#before(at);
    const old = isJsonObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    this.check(member, property, { parent: at, step: name, isAdditional, old }, result);
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

  /** How many of the alternatives are valid, and which of the others comes closest. */
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

function hasJunctors({ allOf, anyOf, oneOf, not }: StructuralSchema): boolean {
  return allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0 || not !== undefined;
}

function hasMemberSchemas({ properties, additional }: StructuralSchema): boolean {
  return properties.size > 0 || additional !== undefined;
}

/** Undefined for a member that is not checked; a forbidden one is a problem. */
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
      const text = `${pathOf({ parent: at, step: name, isAdditional: true })} in body is a forbidden property`;
      return problem(at, `Invalid value: ${printValue(name)}`, text);
    });
  }
  return undefined;
}

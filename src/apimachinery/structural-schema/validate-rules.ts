import { CelBudget, CelBudgetError, CelRuntimeError } from "../cel/cel-error.js";
import type { CelType } from "../cel/cel-type.js";
import { CelOptional, type CelValue, fromJson } from "../cel/cel-value.js";
import { type FieldError, type FieldErrorType, FieldPath } from "../errors/field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual } from "../json/json-values.js";
import { byteLength } from "../validation/messages.js";
import { brokenRule, placeOf, typedError } from "./broken-rule.js";
import {
  type CompiledRule,
  compiledRules,
  defaultRuleEnvironment,
  type RuleEnvironment,
} from "./compiled-rules.js";
import { ruleType } from "./rule-types.js";
import type { StructuralSchema } from "./structural-schema.js";
import { isUnchanged, itemsByKey } from "./unchanged-value.js";

/** Cost limit of all rules for one object: some tens of milliseconds. */
const ruleStepsMax = 500_000;

/**
 * The errors of the schema's validation rules in `object`. Rules that use `oldSelf` run only where `old` has the same value, found
 * through objects, maps and associative lists. The object has kind, apiVersion and metadata. Source: Kubernetes documentation,
 * "Validation rules". Without `isResource`, `object` is a part of one.
 */
export function validateRules(
  object: JsonValue,
  old: JsonValue | undefined,
  schema: StructuralSchema,
  { isResource = true, environment = defaultRuleEnvironment, ratchets = false, warn }: RuleOptions = {},
): FieldError[] {
  if (!schema.hasRules) return [];
  const checked = { object, old, schema, isResource };
  const { errors } = run(new RuleValidation(environment, false), checked);
  if (errors.length === 0 || !ratchets || old === undefined) return errors;
  const validation = run(new RuleValidation(environment, true), checked);
  for (const { field, body } of validation.kept) warn?.(`${field}: ${body}`);
  return validation.errors;
}

export interface RuleOptions {
  /** Default true. */
  readonly isResource?: boolean;
  /** Default: that of the oldest level. */
  readonly environment?: RuleEnvironment;
  /** Whether unchanged values may break rules that do not use `oldSelf` (ratcheting). Source: KEP-4008. */
  readonly ratchets?: boolean;
  /** Called with each rule that an unchanged value breaks. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** More than anyone reads. */
const keptMax = 100;

interface Checked {
  readonly object: JsonValue;
  readonly old: JsonValue | undefined;
  readonly schema: StructuralSchema;
  readonly isResource: boolean;
}

function run(validation: RuleValidation, { object, old, schema, isResource }: Checked): RuleValidation {
  try {
    validation.visit(object, old, schema, isResource, undefined);
  } catch (error) {
    if (!(error instanceof CelBudgetError)) throw error;
    const why =
      "validation failed due to running out of cost budget, no further validation rules will be run";
    validation.errors.push(typedError(undefined, "FieldValueInvalid", "object", why));
  }
  return validation;
}

class RuleValidation {
  readonly errors: FieldError[] = [];
  /** Errors of unchanged values. */
  readonly kept: FieldError[] = [];
  readonly #budget = new CelBudget(ruleStepsMax);
  readonly #environment: RuleEnvironment;
  readonly #ratchets: boolean;

  constructor(environment: RuleEnvironment, ratchets: boolean) {
    this.#environment = environment;
    this.#ratchets = ratchets;
  }

  visit(
    value: JsonValue | undefined,
    old: JsonValue | undefined,
    schema: StructuralSchema,
    isResource: boolean,
    at: FieldPath | undefined,
  ): void {
    if (!schema.hasRules || value === undefined || value === null) return;
    if (schema.rules.length > 0) this.#check(value, old, schema, isResource || schema.isEmbedded, at);
    if (isJsonArray(value)) this.#visitItems(value, old, schema, at);
    else if (isJsonObject(value)) this.#visitMembers(value, old, schema, at);
  }

  #visitItems(
    items: readonly JsonValue[],
    old: JsonValue | undefined,
    list: StructuralSchema,
    at: FieldPath | undefined,
  ): void {
    const { items: schema, listType } = list;
    if (schema === undefined || !schema.hasRules) return;
    const before = itemsByKey(list, old);
    // Items without keys count as unchanged only if the whole list is.
    const same =
      this.#ratchets && listType !== "map" && isJsonArray(old) && jsonEqual([...items], [...old])
        ? old
        : undefined;
    for (const [index, item] of items.entries()) {
      this.#budget.spend(1);
      const path = at === undefined ? FieldPath.of("").index(index) : at.index(index);
      this.visit(item, same?.[index] ?? before?.sameAs(item), schema, false, path);
    }
  }

  #visitMembers(
    object: JsonObject,
    old: JsonValue | undefined,
    { properties, additional }: StructuralSchema,
    at: FieldPath | undefined,
  ): void {
    const before = isJsonObject(old) ? old : undefined;
    for (const name in object) {
      const property = properties.get(name);
      const schema = property ?? (typeof additional === "object" ? additional : undefined);
      if (schema === undefined || !schema.hasRules) continue;
      this.#budget.spend(1);
      const path =
        at === undefined ? FieldPath.of(name) : property === undefined ? at.key(name) : at.child(name);
      this.visit(
        object[name],
        before && Object.hasOwn(before, name) ? before[name] : undefined,
        schema,
        false,
        path,
      );
    }
  }

  #check(
    value: JsonValue,
    old: JsonValue | undefined,
    schema: StructuralSchema,
    isResource: boolean,
    at: FieldPath | undefined,
  ): void {
    const type = typeOf(schema, isResource);
    const typeName = schema.type ?? "";
    const fail = (why: string): void => {
      this.errors.push(typedError(at, "FieldValueInvalid", typeName, why));
    };
    let kept: boolean | undefined;
    const isKept = (): boolean => {
      if (!this.#ratchets || old === undefined) return false;
      kept ??= isUnchanged(value, old, schema);
      return kept;
    };
    for (const rule of compiledRules(schema, isResource, this.#environment)) {
      // A definition with an empty rule is refused for the rule itself, not also for a default that breaks it.
      if (rule.source.rule.trim() === "") continue;
      const isNew = old === undefined || old === null;
      if (rule.isTransition && isNew && rule.source.optionalOldSelf !== true) continue;
      if (type === undefined || rule.program === undefined) {
        fail(`rule compile error: ${rule.problem ?? ""}`);
        continue;
      }
      const { source } = rule;
      try {
        const variables = variablesOf(rule, value, old, type);
        if (rule.program.evaluate(variables, this.#budget) === true) continue;
        const list = !rule.isTransition && isKept() ? this.kept : this.errors;
        if (list === this.kept && list.length >= keptMax) continue;
        const why = this.#messageOf(rule, variables);
        const error = errorTypes[source.reason] ?? "FieldValueInvalid";
        list.push(brokenRule(placeOf(at, source.fieldPath, schema), error, { value, typeName, why }));
      } catch (error) {
        if (!(error instanceof CelRuntimeError)) throw error;
        fail(problemOf(error, shown(source.message, source.rule)));
      }
    }
  }

  /** Falls back to the fixed message when the expression fails. */
  #messageOf(rule: CompiledRule, variables: Readonly<Record<string, CelValue>>): string {
    const { source } = rule;
    const fixed = source.message.trim() === "" ? `failed rule: ${source.rule.trim()}` : source.message.trim();
    if (rule.message === undefined) return fixed;
    try {
      const made = rule.message.evaluate(variables, this.#budget);
      const text = typeof made === "string" ? made.trim() : "";
      return text === "" || byteLength(text) > messageBytesMax || text.includes("\n") ? fixed : text;
    } catch (error) {
      if (error instanceof CelRuntimeError) return fixed;
      throw error;
    }
  }
}

const messageBytesMax = 5 * 1024;

const errorTypes: Readonly<Record<string, FieldErrorType>> = {
  FieldValueInvalid: "FieldValueInvalid",
  FieldValueForbidden: "FieldValueForbidden",
  FieldValueRequired: "FieldValueRequired",
  FieldValueDuplicate: "FieldValueDuplicate",
};

const types = new WeakMap<StructuralSchema, { readonly type: CelType | undefined }>();

function typeOf(schema: StructuralSchema, isResource: boolean): CelType | undefined {
  let known = types.get(schema);
  if (known === undefined) {
    known = { type: ruleType(schema, isResource) };
    types.set(schema, known);
  }
  return known.type;
}

function variablesOf(
  { isTransition, source }: CompiledRule,
  value: JsonValue,
  old: JsonValue | undefined,
  type: CelType,
): Record<string, CelValue> {
  const self = fromJson(value, type);
  const oldSelf = isTransition && old !== undefined && old !== null ? fromJson(old, type) : undefined;
  return { self, oldSelf: source.optionalOldSelf === true ? new CelOptional(oldSelf) : (oldSelf ?? null) };
}

/** In an int-or-string, a wrong type only shows when the rule runs. */
function problemOf({ message }: CelRuntimeError, rule: string): string {
  return message.startsWith("no such overload")
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
    : `${message} evaluating rule: ${rule}`;
}

function shown(message: string, rule: string): string {
  return message.trim() === "" ? rule.trim() : message.trim();
}

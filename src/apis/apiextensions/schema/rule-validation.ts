import { append } from "../../../apimachinery/collections/append.js";
import { hasWordsOf } from "../../../apimachinery/errors/error-words.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import {
  compiledRules,
  type RuleEnvironment,
} from "../../../apimachinery/structural-schema/compiled-rules.js";
import { countMax } from "../../../apimachinery/structural-schema/rule-types.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { printRule } from "./printed-rule.js";

/** Limits of the estimated cost, for the largest possible request: of one rule, and of all rules of a schema. Source: KEP-2876. */
const ruleCostMax = 10_000_000;
const schemaCostMax = 100_000_000;

/** Checks that the rules of a schema compile and that their estimated cost is within the limits. */
export function ruleExpressionErrors(
  schema: StructuralSchema,
  path: FieldPath,
  { prefix, environment }: { readonly prefix: string; readonly environment: RuleEnvironment },
): FieldError[] {
  const check = new RuleCheck(prefix, environment);
  check.visit(schema, path, { count: 1, isResource: true, lost: undefined });
  if (check.total > schemaCostMax) {
    for (const place of check.costliest()) {
      check.errors.push(
        forbidden(
          place,
          "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
        ),
      );
    }
    const name = `${prefix}validations estimated rule cost total for entire OpenAPIv3 schema`;
    check.errors.push(forbidden(path, costText(name, check.total, schemaCostMax)));
  }
  return check.errors;
}

interface Position {
  /** How many values of the schema one object may contain; undefined when a list or map around it has no declared limit. */
  readonly count: number | undefined;
  readonly isResource: boolean;
  /** Below here, a value cannot be correlated with its old one. */
  readonly lost: FieldPath | undefined;
}

class RuleCheck {
  readonly errors: FieldError[] = [];
  readonly #costly: { readonly path: FieldPath; readonly cost: number }[] = [];
  total = 0;
  readonly #prefix: string;
  readonly #environment: RuleEnvironment;

  constructor(prefix: string, environment: RuleEnvironment) {
    this.#prefix = prefix;
    this.#environment = environment;
  }

  visit(schema: StructuralSchema, path: FieldPath, position: Position): void {
    if (!schema.hasRules) return;
    this.#check(schema, path, position);
    const { count } = position;
    const inner = { ...position, isResource: false };
    for (const [name, property] of schema.properties) {
      this.visit(property, path.child("properties").key(name), inner);
    }
    const { additional, items } = schema;
    if (typeof additional === "object") {
      const many = product(count, schema.maxProperties);
      this.visit(additional, path.child("additionalProperties"), { ...inner, count: many });
    }
    if (items !== undefined) {
      const many = product(count, schema.maxItems);
      const at = path.child("items");
      const lost = position.lost ?? (schema.listType === "map" ? undefined : path);
      this.visit(items, at, { ...inner, count: many, lost });
    }
  }

  #check(schema: StructuralSchema, path: FieldPath, { count, isResource, lost }: Position): void {
    const rules = compiledRules(schema, isResource || schema.isEmbedded, this.#environment);
    for (const [index, rule] of rules.entries()) {
      const { source, program } = rule;
      const at = path.child(`${this.#prefix}validations`).index(index);
      const rulePath = at.child("rule");
      if (rule.problem !== undefined && source.rule.trim() !== "") {
        this.errors.push(invalid(rulePath, printRule(source), rule.problem));
      }
      if (rule.messageProblem !== undefined) {
        const value = hasWordsOf(27) ? printRule(source) : source.messageExpression;
        this.errors.push(invalid(at.child("messageExpression"), value, rule.messageProblem));
      }
      append(this.errors, reasonErrors(source.reason, at.child("reason")));
      append(this.errors, fieldPathErrors(source.fieldPath, schema, at.child("fieldPath")));
      if (rule.isTransition && lost !== undefined) {
        const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${lost}`;
        this.errors.push(invalid(rulePath, source.rule, why));
      }
      if (program !== undefined && !rule.isTransition && source.optionalOldSelf !== undefined) {
        const why = "may not be set if oldSelf is not used in rule";
        this.errors.push(invalid(at.child("optionalOldSelf"), source.optionalOldSelf, why));
      }
      if (program === undefined) continue;
      const times = count ?? countMax(schema);
      this.#add(program.cost * times, rulePath, "estimated rule cost");
      if (rule.message !== undefined) {
        this.#add(
          rule.message.cost * times,
          at.child("messageExpression"),
          "estimated messageExpression cost",
        );
      }
    }
  }

  #add(cost: number, path: FieldPath, name: string): void {
    this.total += cost;
    if (cost > ruleCostMax) this.errors.push(forbidden(path, costText(name, cost, ruleCostMax)));
    if (cost >= schemaCostMax / 100) this.#costly.push({ path, cost });
  }

  /** The rules that cost most. */
  costliest(): FieldPath[] {
    return this.#costly
      .toSorted((a, b) => b.cost - a.cost)
      .slice(0, 4)
      .map(({ path }) => path);
  }
}

function product(count: number | undefined, by: number | undefined): number | undefined {
  return count === undefined || by === undefined ? undefined : count * by;
}

/** In Kubernetes' words. */
function costText(name: string, cost: number, max: number): string {
  const factor = cost / max;
  const text =
    factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

const reasons = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];

function reasonErrors(reason: string, path: FieldPath): FieldError[] {
  return reason === "" || reasons.includes(reason) ? [] : [notSupported(path, reason, reasons)];
}

/** Whether a path names a field that the schema declares. */
function fieldPathErrors(text: string, schema: StructuralSchema, path: FieldPath): FieldError[] {
  if (text === "") return [];
  const refuse = (why: string): FieldError[] => [
    invalid(path, text, `fieldPath must be a valid path: ${why}`),
  ];
  if (text.length > 1024 || !/^(?:\.[A-Za-z_][\w-]*|\['[^']+'\])+$/.test(text)) {
    return refuse("it must look like .spec.name or .spec['a.name']");
  }
  let node: StructuralSchema | undefined = schema;
  for (const [, plain, quoted] of text.matchAll(/\.([A-Za-z_][\w-]*)|\['([^']+)'\]/g)) {
    const name: string = plain ?? quoted ?? "";
    const current: StructuralSchema = node;
    const { additional, properties } = current;
    const next: StructuralSchema | undefined =
      properties.get(name) ?? (typeof additional === "object" ? additional : undefined);
    if (next === undefined) return refuse(`does not refer to a valid field: ${name}`);
    node = next;
  }
  return [];
}

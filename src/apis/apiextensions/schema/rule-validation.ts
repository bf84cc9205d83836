import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  internalError,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import {
  compiledRules,
  type RuleEnvironment,
  undeclaredType,
} from "../../../apimachinery/structural-schema/compiled-rules.js";
import { countMax } from "../../../apimachinery/structural-schema/rule-types.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { printRule } from "./printed-rule.js";

/** Limits of the estimated cost, for the largest possible request: of one rule, and of all rules of a schema. Source: KEP-2876. */
const ruleCostMax = 10_000_000;
const schemaCostMax = 100_000_000;

export interface RuleExpressionRules {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly environment: RuleEnvironment;
  /** Whether the schema at a path has errors; rules on an invalid schema are not compiled. */
  isInvalid(path: FieldPath): boolean;
  /** Whether single rules may cost more than the limit, as rules that are stored already may. */
  allowsCostlyRules(): boolean;
}

/** Checks that the rules of a schema compile and that their estimated cost is within the limits. */
export function ruleExpressionErrors(
  schema: StructuralSchema,
  path: FieldPath,
  rules: RuleExpressionRules,
): FieldError[] {
  const { prefix } = rules;
  const check = new RuleCheck(rules);
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
  readonly #rules: RuleExpressionRules;

  constructor(rules: RuleExpressionRules) {
    this.#rules = rules;
  }

  visit(schema: StructuralSchema, path: FieldPath, position: Position): void {
    if (!schema.hasRules) return;
    const { count } = position;
    const inner = { ...position, isResource: false };
    const members = schema.mapType === "atomic" ? { ...inner, lost: position.lost ?? path } : inner;
    for (const [name, property] of schema.properties) {
      this.visit(property, path.child("properties").key(name), members);
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
    // Rules are reported after those of subschemas, as in Kubernetes.
    this.#check(schema, path, position);
  }

  #check(schema: StructuralSchema, path: FieldPath, { count, isResource, lost }: Position): void {
    if (schema.rules.length === 0 || this.#rules.isInvalid(path)) return;
    const rules = compiledRules(schema, isResource || schema.isEmbedded, this.#rules.environment);
    if (rules[0]?.problem === undeclaredType) {
      const why = "internal error: failed to construct type information for";
      const name = `${this.#rules.prefix}validations`;
      this.errors.push(internalError(path.child(name), `${why} ${name} rules: ${undeclaredType}`));
      return;
    }
    for (const [index, rule] of rules.entries()) {
      const { source, program } = rule;
      const at = path.child(`${this.#rules.prefix}validations`).index(index);
      const rulePath = at.child("rule");
      // In Kubernetes' order: cost, compilation, message expression, use of `oldSelf`.
      if (program !== undefined) {
        this.#add(program.cost * (count ?? countMax(schema)), rulePath, "estimated rule cost");
      }
      if (rule.problem !== undefined && source.rule.trim() !== "") {
        this.errors.push(invalid(rulePath, printRule(source), rule.problem));
      }
      if (rule.messageProblem !== undefined) {
        const value = hasErrorTextsOf(27) ? printRule(source) : source.messageExpression;
        this.errors.push(invalid(at.child("messageExpression"), value, rule.messageProblem));
      }
      // As in Kubernetes, counted once, not for each value.
      if (rule.message !== undefined) {
        this.#add(rule.message.cost, at.child("messageExpression"), "estimated messageExpression cost");
      }
      if (rule.isTransition && lost !== undefined) {
        const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${lost}`;
        this.errors.push(invalid(rulePath, source.rule, why));
      }
      if (!rule.isTransition && source.optionalOldSelf !== undefined) {
        const why = "may not be set if oldSelf is not used in rule";
        this.errors.push(invalid(at.child("optionalOldSelf"), source.optionalOldSelf, why));
      }
    }
  }

  #add(cost: number, path: FieldPath, name: string): void {
    this.total += cost;
    if (cost > ruleCostMax && !this.#rules.allowsCostlyRules()) {
      this.errors.push(forbidden(path, costText(name, cost, ruleCostMax)));
    }
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

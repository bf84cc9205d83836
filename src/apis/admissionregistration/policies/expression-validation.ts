import { type CelType, scalarTypes } from "../../../apimachinery/cel/cel-type.js";
import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  internalError,
  invalid,
  required,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { MatchCondition, Variable } from "../../gen/admissionregistration-v1.js";
import type { Compiled, PolicyCompiler } from "../expressions/policy-compiler.js";
import { admissionregistrationV1Types } from "../v1/types.js";

const conditionRules = fieldRules<MatchCondition>(admissionregistrationV1Types, "MatchCondition");
const conditionsMax = 64;

/** The expressions of the stored object. They may use everything that the level has; new ones must also compile at the level before. */
export type KnownExpressions = ReadonlySet<string>;

export interface CheckedExpression {
  readonly text: string;
  /** What errors show; default: the text. */
  readonly shown?: string;
  readonly path: FieldPath;
  readonly returns: readonly CelType[];
  readonly hasAuthorizer: boolean;
  readonly isStored: boolean;
}

export function validateExpression(
  compiler: PolicyCompiler,
  { text, shown = text, path, ...options }: CheckedExpression,
): FieldError[] {
  return problemOf(compiler.compile(text, options), shown, path);
}

function problemOf(compiled: Compiled, shown: string, path: FieldPath): FieldError[] {
  if (compiled.problem === undefined) return [];
  return [
    compiled.isInternal === true
      ? internalError(path, compiled.problem)
      : invalid(path, shown, compiled.problem),
  ];
}

/** Validates the match conditions of webhooks and policies. `compiler` must know no variables yet. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
  compiler: () => PolicyCompiler,
  known: KnownExpressions,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  if (conditions.length > conditionsMax) errors.push(tooMany(path, conditions.length, conditionsMax));
  for (const [index, condition] of conditions.entries()) {
    const { name, expression } = condition;
    const at = path.index(index);
    const text = expression.trim();
    const options = { returns: [scalarTypes.bool], hasAuthorizer: true, isStored: known.has(expression) };
    if (text === "") errors.push(required(at.child("expression"), ""));
    else append(errors, validateExpression(compiler(), { text, path: at.child("expression"), ...options }));
    append(errors, conditionRules.check(condition, at, "name"));
    if (name !== "" && names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
  }
  return errors;
}

/** Checks the variables of a policy and makes them known to the compiler. */
export function validateVariables(
  variables: readonly Variable[],
  path: FieldPath,
  compiler: () => PolicyCompiler,
  known: KnownExpressions,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { name, expression }] of variables.entries()) {
    const at = path.index(index);
    if (name.trim() === "") errors.push(required(at.child("name"), "name is not specified"));
    else if (!isIdentifier(name)) {
      const problem = `${hasErrorTextsOf(34) ? "must be" : "name is not"} a valid CEL identifier`;
      errors.push(invalid(at.child("name"), name, problem));
    }
    if (expression.trim() === "") {
      errors.push(required(at.child("expression"), "expression is not specified"));
      continue;
    }
    const compiled = compiler().addVariable(name, expression, known.has(expression));
    append(errors, problemOf(compiled, expression, at.child("expression")));
  }
  return errors;
}

const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.has(name);
}

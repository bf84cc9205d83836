import type { CelBudget } from "../../../apimachinery/cel/cel-error.js";
import { type CelType, listOf, scalarTypes } from "../../../apimachinery/cel/cel-type.js";
import { type CelValue, fromJson } from "../../../apimachinery/cel/cel-value.js";
import { rewriteLiterals } from "../../../apimachinery/cel/object-literals.js";
import { parseCel } from "../../../apimachinery/cel/parse-cel.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import { compileConfigured, objectType } from "../../configured-expression.js";

const { string } = scalarTypes;
const claimsType: CelType = { kind: "map", key: string, value: scalarTypes.dyn };
const userType = objectType("UserInfo", {
  username: string,
  uid: string,
  groups: listOf(string),
  extra: { kind: "map", key: string, value: listOf(string) },
});

/** An expression over one variable. Throws `CelRuntimeError` or `CelBudgetError`. */
export type Expression = (of: CelValue, budget: CelBudget) => CelValue;

export type CompiledExpression =
  | { readonly run: Expression; readonly problem?: undefined }
  /** Why the expression cannot be used, in Kubernetes' words. */
  | { readonly run?: undefined; readonly problem: string };

/** An expression over `claims`, or over `user`; a condition must be true or false. */
export function compileExpression(
  text: string,
  {
    variable,
    isCondition,
    level,
  }: { readonly variable: "claims" | "user"; readonly isCondition: boolean; readonly level: ApiLevel },
): CompiledExpression {
  const type = variable === "claims" ? claimsType : userType;
  const { program, problem } = compileConfigured(text, { [variable]: type }, level);
  if (program === undefined) return { problem };
  if (isCondition && program.type.kind !== "bool") return { problem: "must evaluate to bool" };
  return { run: (value, budget) => program.evaluate({ [variable]: value }, budget) };
}

export function claimsValue(claims: JsonObject): CelValue {
  return fromJson(claims, claimsType);
}

export function userValue({ name, uid, groups, extra }: UserInfo): CelValue {
  const lists = Object.entries(extra).map(([key, values]) => [key, [...values]] as const);
  return fromJson({ username: name, uid, groups: [...groups], extra: Object.fromEntries(lists) }, userType);
}

/** Whether a valid expression selects `claims.NAME`. */
export function selectsClaim(text: string, name: string): boolean {
  return hasSelection(parseCel(rewriteLiterals(text, false).text), name);
}

function hasSelection(node: unknown, name: string): boolean {
  if (Array.isArray(node)) return node.some((item) => hasSelection(item, name));
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return false;
  const { op, args } = node;
  if ((op === "." || op === ".?") && Array.isArray(args) && args[1] === name && isClaims(args[0]))
    return true;
  return hasSelection(args, name);
}

function isClaims(node: unknown): boolean {
  return (
    typeof node === "object" &&
    node !== null &&
    "op" in node &&
    "args" in node &&
    node.op === "id" &&
    node.args === "claims"
  );
}

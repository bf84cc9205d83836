import type { CelProgram } from "../../../apimachinery/cel/cel-program.js";
import { type CelType, listOf, scalarTypes, typeText } from "../../../apimachinery/cel/cel-type.js";
import { fromJson } from "../../../apimachinery/cel/cel-value.js";
import { messageOf } from "../../../apimachinery/errors/message-of.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { AccessQuestion } from "../../../apimachinery/requests/authorizer.js";
import {
  type ConfiguredExpression,
  compileConfigured,
  expressionBudget,
  objectType,
} from "../../configured-expression.js";
import { selectorAttributes } from "../selector-attributes.js";

const { string } = scalarTypes;

const selectorType = (name: string): CelType =>
  objectType(name, {
    rawSelector: string,
    requirements: listOf(
      objectType("SelectorRequirement", { key: string, operator: string, values: listOf(string) }),
    ),
  });

function requestTypeOf(hasSelectors: boolean): CelType {
  return objectType("SubjectAccessReviewSpec", {
    resourceAttributes: objectType("ResourceAttributes", {
      namespace: string,
      verb: string,
      group: string,
      version: string,
      resource: string,
      subresource: string,
      name: string,
      ...(hasSelectors && {
        fieldSelector: selectorType("FieldSelectorAttributes"),
        labelSelector: selectorType("LabelSelectorAttributes"),
      }),
    }),
    nonResourceAttributes: objectType("NonResourceAttributes", { path: string, verb: string }),
    user: string,
    groups: listOf(string),
    extra: { kind: "map", key: string, value: listOf(string) },
    uid: string,
  });
}

const requestType = requestTypeOf(false);
const requestTypeWithSelectors = requestTypeOf(true);

export interface ConditionContext {
  readonly level: ApiLevel;
  /** Whether a request has its selectors. */
  readonly hasSelectors: boolean;
}

/** A condition over `request`, the spec of a SubjectAccessReview of v1. */
export function compileCondition(
  text: string,
  { level, hasSelectors }: ConditionContext,
): ConfiguredExpression {
  const request = hasSelectors ? requestTypeWithSelectors : requestType;
  const compiled = compileConfigured(text, { request }, level);
  if (compiled.program === undefined || compiled.program.type.kind === "bool") return compiled;
  return { problem: `must evaluate to bool but got ${typeText(compiled.program.type)}` };
}

/** An expression of the file. */
export interface Condition {
  readonly expression: string;
  readonly program: CelProgram;
}

export type ConditionsVerdict =
  | { readonly kind: "met" | "notMet" }
  /** No condition was false, and some could not be evaluated. */
  | { readonly kind: "failed"; readonly error: Error };

export function checkConditions(
  conditions: readonly Condition[],
  { user, info }: AccessQuestion,
): ConditionsVerdict {
  const { namespace, verb, apiGroup: group, apiVersion: version, resource, subresource, name, path } = info;
  const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]] as const);
  const request = fromJson(
    {
      ...(info.isResourceRequest
        ? {
            resourceAttributes: {
              namespace,
              verb,
              group,
              version,
              resource,
              subresource,
              name,
              ...selectorAttributes(info, true),
            },
          }
        : { nonResourceAttributes: { path, verb } }),
      user: user.name,
      groups: [...user.groups],
      extra: Object.fromEntries(extra),
      uid: user.uid,
    },
    info.selectors === undefined ? requestType : requestTypeWithSelectors,
  );
  const budget = expressionBudget();
  const errors: string[] = [];
  for (const { expression, program } of conditions) {
    try {
      if (program.evaluate({ request }, budget) === false) return { kind: "notMet" };
    } catch (error) {
      errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${messageOf(error)}`);
    }
  }
  const [first] = errors;
  if (first === undefined) return { kind: "met" };
  return { kind: "failed", error: new Error(errors.length === 1 ? first : `[${errors.join(", ")}]`) };
}

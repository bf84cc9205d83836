import { celEnvironment } from "../../../apimachinery/cel/cel-environment.js";
import { CelBudget, CelCompileError } from "../../../apimachinery/cel/cel-error.js";
import { type CelType, listOf, type ObjectField, scalarTypes } from "../../../apimachinery/cel/cel-type.js";
import { fromJson } from "../../../apimachinery/cel/cel-value.js";
import { type CelProgram, compileCel } from "../../../apimachinery/cel/compile-cel.js";
import { messageOf } from "../../../apimachinery/errors/message-of.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { AccessQuestion } from "../../../apimachinery/requests/authorizer.js";

const { string } = scalarTypes;

function objectType(name: string, members: Readonly<Record<string, CelType>>): CelType {
  const fields = new Map<string, ObjectField>();
  for (const [field, type] of Object.entries(members)) fields.set(field, { name: field, type });
  return { kind: "object", name, fields };
}

const requestType = objectType("SubjectAccessReviewSpec", {
  resourceAttributes: objectType("ResourceAttributes", {
    namespace: string,
    verb: string,
    group: string,
    version: string,
    resource: string,
    subresource: string,
    name: string,
  }),
  nonResourceAttributes: objectType("NonResourceAttributes", { path: string, verb: string }),
  user: string,
  groups: listOf(string),
  extra: { kind: "map", key: string, value: listOf(string) },
  uid: string,
});

/** About 20 ms: every request is asked about on the event loop. */
const stepsMax = 1_000_000;

export type CompiledCondition =
  | { readonly program: CelProgram; readonly problem?: undefined }
  /** Why the expression cannot be used, in Kubernetes' words. */
  | { readonly program?: undefined; readonly problem: string };

/** A condition over `request`, the spec of a SubjectAccessReview of v1. */
export function compileCondition(text: string, level: ApiLevel): CompiledCondition {
  let program: CelProgram;
  try {
    program = compileCel(
      text,
      { request: requestType },
      celEnvironment({ level, isStored: true, purpose: "rules" }),
    );
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { problem: `compilation failed: ${error.message}` };
  }
  return program.type.kind === "bool" ? { program } : { problem: "must evaluate to bool" };
}

export type ConditionsVerdict =
  | { readonly kind: "met" | "notMet" }
  /** No condition was false, and some could not be evaluated. */
  | { readonly kind: "failed"; readonly error: Error };

export function checkConditions(
  conditions: readonly CelProgram[],
  { user, info }: AccessQuestion,
): ConditionsVerdict {
  const { namespace, verb, apiGroup: group, apiVersion: version, resource, subresource, name, path } = info;
  const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]] as const);
  const request = fromJson(
    {
      ...(info.isResourceRequest
        ? { resourceAttributes: { namespace, verb, group, version, resource, subresource, name } }
        : { nonResourceAttributes: { path, verb } }),
      user: user.name,
      groups: [...user.groups],
      extra: Object.fromEntries(extra),
      uid: user.uid,
    },
    requestType,
  );
  const errors: string[] = [];
  for (const condition of conditions) {
    try {
      if (condition.evaluate({ request }, new CelBudget(stepsMax)) === false) return { kind: "notMet" };
    } catch (error) {
      errors.push(messageOf(error));
    }
  }
  const [first] = errors;
  if (first === undefined) return { kind: "met" };
  return { kind: "failed", error: new Error(errors.length === 1 ? first : `[${errors.join(", ")}]`) };
}

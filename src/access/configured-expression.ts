import { celEnvironment } from "../apimachinery/cel/cel-environment.js";
import { CelBudget, CelCompileError } from "../apimachinery/cel/cel-error.js";
import type { CelProgram } from "../apimachinery/cel/cel-program.js";
import type { CelType, ObjectField } from "../apimachinery/cel/cel-type.js";
import { compileCel } from "../apimachinery/cel/compile-cel.js";
import type { ApiLevel } from "../apimachinery/levels/api-level.js";

/** About 20 ms of the event loop, on input that clients choose. */
const stepsMax = 1_000_000;

export type ConfiguredExpression =
  | { readonly program: CelProgram; readonly problem?: undefined }
  /** Why the expression cannot be used, in Kubernetes' words. */
  | { readonly program?: undefined; readonly problem: string };

/** An expression in the file of authenticators or of authorizers. */
export function compileConfigured(
  text: string,
  variables: Readonly<Record<string, CelType>>,
  level: ApiLevel,
): ConfiguredExpression {
  try {
    const environment = celEnvironment({ level, isStored: true, purpose: "rules" });
    return { program: compileCel(text, variables, environment) };
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { problem: `compilation failed: ${error.message}` };
  }
}

/** The budget for all expressions about one token, or one request, together: a file may hold many. */
export function expressionBudget(): CelBudget {
  return new CelBudget(stepsMax);
}

export function objectType(name: string, members: Readonly<Record<string, CelType>>): CelType {
  const fields = new Map<string, ObjectField>();
  for (const [field, type] of Object.entries(members)) fields.set(field, { name: field, type });
  return { kind: "object", name, fields };
}

import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from "./compiled-policy.js";
import { checkConditions } from "./match-conditions.js";
import { PolicyBudgetError, type PolicyRun } from "./policy-run.js";

/** Why a policy does not let a request pass. */
export interface PolicyDenial {
  /** Index of the validation. */
  readonly index: number;
  readonly message: string;
  /** Empty where an expression failed. */
  readonly reason: string;
  readonly isError: boolean;
}

export interface PolicyOutcome {
  readonly denials: readonly PolicyDenial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Annotations that could not be evaluated; they refuse the request. */
  readonly failedAnnotations: readonly string[];
}

const nothing: PolicyOutcome = { denials: [], annotations: [], failedAnnotations: [] };
const messageBytesMax = 5 * 1024;
export const annotationLengthMax = 10 * 1024;

/** What a policy says of a request, with one object of parameters. Source: Kubernetes documentation, "Validating Admission Policy". */
export async function validateByPolicy(
  policy: CompiledPolicy,
  runs: () => PolicyRun,
  ignoresFailures: boolean,
): Promise<PolicyOutcome> {
  const failed = (message: string): PolicyOutcome =>
    ignoresFailures ? nothing : { ...nothing, denials: [denial(0, message)] };
  try {
    if (policy.conditions.length > 0) {
      const outcome = await checkConditions(policy.conditions, runs());
      if (outcome.kind === "failed") return failed(outcome.error);
      if (outcome.kind === "notMet") return nothing;
    }
    const run = runs();
    const denials: PolicyDenial[] = [];
    for (const [index, validation] of policy.validations.entries()) {
      const denied = await check(validation, index, run);
      if (denied !== undefined && !(denied.isError && ignoresFailures)) denials.push(denied);
    }
    if (policy.annotations.length === 0) return { ...nothing, denials };
    return { denials, ...(await annotate(policy.annotations, runs(), ignoresFailures)) };
  } catch (error) {
    if (error instanceof PolicyBudgetError) return failed(error.message);
    throw error;
  }
}

function denial(index: number, message: string): PolicyDenial {
  return { index, message, reason: "", isError: true };
}

async function check(
  validation: CompiledValidation,
  index: number,
  run: PolicyRun,
): Promise<PolicyDenial | undefined> {
  const { value, error } = await run.evaluate(validation.rule);
  if (error !== undefined) return denial(index, error);
  if (value === true) return undefined;
  const message = await messageOf(validation, run);
  return { index, message, reason: validation.reason === "" ? "Invalid" : validation.reason, isError: false };
}

/** A message expression without a usable result gives way to the message, and this to the expression. */
async function messageOf(validation: CompiledValidation, run: PolicyRun): Promise<string> {
  const { messageExpression, message, rule } = validation;
  if (messageExpression !== undefined) {
    const { value } = await run.evaluate(messageExpression);
    const made = typeof value === "string" ? value.trim() : "";
    if (made !== "" && Buffer.byteLength(made) <= messageBytesMax && !made.includes("\n")) return made;
  }
  return message === "" ? `failed expression: ${rule.text.trim()}` : message;
}

async function annotate(
  annotations: readonly CompiledAnnotation[],
  run: PolicyRun,
  ignoresFailures: boolean,
): Promise<Pick<PolicyOutcome, "annotations" | "failedAnnotations">> {
  const made: { key: string; value: string }[] = [];
  const failedAnnotations: string[] = [];
  for (const annotation of annotations) {
    const { value, error } = await run.evaluate(annotation);
    if (error !== undefined) {
      if (!ignoresFailures) failedAnnotations.push(error);
    } else if (typeof value === "string") {
      const text = value.trim();
      if (text !== "") made.push({ key: annotation.key, value: text.slice(0, annotationLengthMax) });
    }
  }
  return { annotations: made, failedAnnotations };
}

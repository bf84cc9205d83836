import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from "./compiled-policy.js";
import { checkConditions } from "./match-conditions.js";
import type { ConditionsOwner, PolicyObserver } from "./policy-observer.js";
import { PolicyBudgetError, type PolicyRun } from "./policy-run.js";

/** Why a policy refuses a request. */
export interface PolicyDenial {
  /** Index of the validation. */
  readonly index: number;
  readonly message: string;
  /** Empty when an expression failed. */
  readonly reason: string;
  readonly isError: boolean;
  /** How long its expression took. */
  readonly durationMs: number;
}

export interface PolicyOutcome {
  readonly denials: readonly PolicyDenial[];
  /** Failures that the policy ignores. */
  readonly ignored: readonly PolicyDenial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Annotations that could not be evaluated; they refuse the request. */
  readonly failedAnnotations: readonly FailedAnnotation[];
}

interface FailedAnnotation {
  readonly message: string;
  readonly durationMs: number;
}

const nothing: PolicyOutcome = { denials: [], ignored: [], annotations: [], failedAnnotations: [] };
const messageBytesMax = 5 * 1024;
const annotationBytesMax = 10 * 1024;

/** How a policy is evaluated, and what is reported. */
export interface PolicyTrial {
  readonly ignoresFailures: boolean;
  readonly observer: PolicyObserver;
  readonly owner: ConditionsOwner;
}

/** The verdict of a policy on a request, with one parameter object. Source: Kubernetes documentation, "Validating Admission Policy". */
export async function validateByPolicy(
  policy: CompiledPolicy,
  runs: () => PolicyRun,
  { ignoresFailures, observer, owner }: PolicyTrial,
): Promise<PolicyOutcome> {
  const failed = (message: string): PolicyOutcome => {
    const found = [denial(0, message, 0)];
    return ignoresFailures ? { ...nothing, ignored: found } : { ...nothing, denials: found };
  };
  try {
    if (policy.conditions.length > 0) {
      const outcome = await checkConditions(policy.conditions, runs(), { observer, owner });
      if (outcome.kind === "failed") return failed(outcome.error);
      if (outcome.kind === "notMet") return nothing;
    }
    const run = runs();
    const denials: PolicyDenial[] = [];
    const ignored: PolicyDenial[] = [];
    for (const denied of await checkAll(policy.validations, run, observer)) {
      (denied.isError && ignoresFailures ? ignored : denials).push(denied);
    }
    if (policy.annotations.length === 0) return { ...nothing, denials, ignored };
    const annotated = await annotate(policy.annotations, runs(), { ignoresFailures, observer });
    return { denials, ignored, ...annotated };
  } catch (error) {
    if (error instanceof PolicyBudgetError) return failed(error.message);
    throw error;
  }
}

function denial(index: number, message: string, durationMs: number): PolicyDenial {
  return { index, message, reason: "", isError: true, durationMs };
}

/** All validations run before the first message expression, because one that exceeds the budget fails the whole policy. */
async function checkAll(
  validations: readonly CompiledValidation[],
  run: PolicyRun,
  observer: PolicyObserver,
): Promise<readonly PolicyDenial[]> {
  const results: { value: unknown; error: string | undefined; durationMs: number }[] = [];
  for (const { rule } of validations) {
    const startedAt = observer.now();
    const { value, error } = await run.evaluate(rule);
    results.push({ value, error, durationMs: observer.now() - startedAt });
  }
  const messages = new Map<number, string>();
  let failure: string | undefined;
  try {
    for (const [index, validation] of validations.entries()) {
      const result = results[index];
      if (result === undefined || result.error !== undefined || result.value === true) continue;
      messages.set(index, await messageOf(validation, run));
    }
  } catch (error) {
    if (!(error instanceof PolicyBudgetError)) throw error;
    failure = `failed messageExpression: ${error.message}`;
  }
  return results.flatMap(({ error = failure, durationMs }, index) => {
    if (error !== undefined) return [denial(index, error, durationMs)];
    const message = messages.get(index);
    if (message === undefined) return [];
    const reason = validations[index]?.reason || "Invalid";
    return [{ index, message, reason, isError: false, durationMs }];
  });
}

/** If a message expression has no usable result, `message` is used; without that, the expression. */
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
  { ignoresFailures, observer }: Omit<PolicyTrial, "owner">,
): Promise<Pick<PolicyOutcome, "annotations" | "failedAnnotations">> {
  const made: { key: string; value: string }[] = [];
  const failedAnnotations: FailedAnnotation[] = [];
  for (const annotation of annotations) {
    const startedAt = observer.now();
    const { value, error } = await run.evaluate(annotation);
    if (error !== undefined) {
      const durationMs = observer.now() - startedAt;
      if (!ignoresFailures) failedAnnotations.push({ message: error, durationMs });
    } else if (typeof value === "string") {
      const text = value.trim();
      if (text !== "") made.push({ key: annotation.key, value: cutAnnotation(text) });
    }
  }
  return { annotations: made, failedAnnotations };
}

function cutAnnotation(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= annotationBytesMax ? text : bytes.subarray(0, annotationBytesMax).toString();
}

import type { AdmissionOperation } from "../chain/admission-attributes.js";

/** What a check of a validating policy led to. */
export type EnforcementAction = "allow" | "deny" | "audit" | "warn";

export type PolicyErrorType = "no_error" | "compile_error" | "out_of_budget" | "invalid_error";

/** One expression of a policy that was evaluated for one binding. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  readonly errorType: PolicyErrorType;
  readonly durationMs: number;
}

/** Identifies whose match conditions are evaluated, and for what. */
export interface ConditionsOwner {
  readonly kind: "policy" | "admit" | "validating";
  readonly name: string;
  readonly operation: AdmissionOperation;
}

/** Counts evaluations of policies and match conditions. */
export interface PolicyObserver {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  validated(check: PolicyCheck, action: EnforcementAction): void;
  mutated(check: PolicyCheck): void;
  /** Not all conditions are true; `errors` of them could not be evaluated. */
  conditionsNotMet(owner: ConditionsOwner, durationMs: number, errors: number): void;
  /** The conditions keep a webhook from being called. */
  excluded(owner: ConditionsOwner): void;
}

/** Kubernetes distinguishes them by the words of the message; a false expression counts as an invalid one. */
export function errorTypeOf(message: string): PolicyErrorType {
  if (message.startsWith("compilation")) return "compile_error";
  return message.startsWith("validation failed due to running out of cost budget")
    ? "out_of_budget"
    : "invalid_error";
}

import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Lease, LeaseSpec } from "../../gen/coordination-v1.js";

const rules = fieldRules<LeaseSpec>("coordination/v1.LeaseSpec");

export function validateLease({ spec }: Lease): FieldError[] {
  return rules.check(spec, FieldPath.of("spec"), "leaseDurationSeconds", "leaseTransitions");
}

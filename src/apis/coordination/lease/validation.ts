import { type FieldError, FieldPath, invalid } from "../../../apimachinery/field-error.js";
import type { Lease } from "../../gen/coordination-v1.js";

export function validateLease({ spec }: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions } = spec;
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.push(invalid(path.child("leaseDurationSeconds"), leaseDurationSeconds, "must be greater than 0"));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.push(
      invalid(path.child("leaseTransitions"), leaseTransitions, "must be greater than or equal to 0"),
    );
  }
  return errors;
}

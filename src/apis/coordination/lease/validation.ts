import { type FieldError, FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Lease, LeaseSpec } from "../../gen/coordination-v1.js";
import { validateLeaseStrategy } from "../lease-strategy.js";
import { coordinationV1Types } from "../v1/types.js";

const rules = fieldRules<LeaseSpec>(coordinationV1Types, "LeaseSpec");
const path = FieldPath.of("spec");

export function validateLease({ spec }: Lease): FieldError[] {
  const { strategy, preferredHolder = "" } = spec;
  const errors = rules.check(spec, path, "leaseDurationSeconds", "leaseTransitions");
  if (strategy !== undefined) errors.push(...validateLeaseStrategy(strategy, path.child("strategy")));
  if (preferredHolder !== "" && (strategy ?? "") === "") {
    errors.push(forbidden(path.child("preferredHolder"), "may only be specified if `strategy` is defined"));
  }
  return errors;
}

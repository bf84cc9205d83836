import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, forbidden, invalid } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Lease, LeaseSpec } from "../../gen/coordination-v1.js";
import { validateLeaseStrategy } from "../lease-strategy.js";
import { coordinationV1Types } from "../v1/types.js";

const rules = fieldRules<LeaseSpec>(coordinationV1Types, "LeaseSpec");
const path = FieldPath.of("spec");

export function validateLease({ spec }: Lease): FieldError[] {
  const { strategy, preferredHolder = "" } = spec;
  const errors = rules.check(spec, path, "leaseDurationSeconds");
  const { leaseTransitions = 0 } = spec;
  if (leaseTransitions < 0 && !hasErrorTextsOf(24)) {
    errors.push(invalid(path.child("leaseTransitions"), leaseTransitions, "must to greater or equal than 0"));
  } else errors.push(...rules.check(spec, path, "leaseTransitions"));
  if (strategy !== undefined) errors.push(...validateLeaseStrategy(strategy, path.child("strategy")));
  if (preferredHolder !== "" && (strategy ?? "") === "") {
    errors.push(forbidden(path.child("preferredHolder"), "may only be specified if `strategy` is defined"));
  }
  return errors;
}

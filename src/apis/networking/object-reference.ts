import type { FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { fieldRules } from "../definition/field-rules.js";
import { networkingV1Types } from "./v1/types.js";

/** The reference of a backend or an ingress class. */
export interface ObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** The fields of a backend's reference have the same rules. */
const rules = fieldRules<ObjectReference>(networkingV1Types, "IngressClassParametersReference");

export function validateObjectReference(reference: ObjectReference, path: FieldPath): FieldError[] {
  return rules.check(reference, path, "apiGroup", "kind", "name");
}

import type { FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ResourceClassParametersReference } from "../../gen/resource-v1alpha2.js";
import { resourceV1alpha2Types } from "../v1alpha2/types.js";

const rules = fieldRules<ResourceClassParametersReference>(
  resourceV1alpha2Types,
  "ResourceClassParametersReference",
);

interface Reference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Validates a reference to parameters, which are objects of any kind. */
export function validateReference(ref: Reference | undefined, path: FieldPath): FieldError[] {
  return ref === undefined ? [] : rules.check(ref, path, "kind", "name", "namespace");
}

export function referenceCell(ref: Reference | undefined): string {
  return ref === undefined ? "" : `${ref.kind}.${ref.apiGroup ?? ""} ${ref.name}`;
}

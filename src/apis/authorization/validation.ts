import { type FieldError, FieldPath, invalid, PrintedValue } from "../../apimachinery/errors/field-error.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from "../gen/authorization-v1.js";

const metadataPath = FieldPath.of("metadata");
const specPath = FieldPath.of("spec");

export function validateSubjectAccessReview(review: SubjectAccessReview): FieldError[] {
  return [
    ...validateSubjectSpec(review.spec),
    ...(isEmpty(review.metadata) ? [] : [invalid(metadataPath, review.metadata, "must be empty")]),
  ];
}

export function validateSelfSubjectAccessReview(review: SelfSubjectAccessReview): FieldError[] {
  return [
    ...validateAttributes(review.spec),
    ...(isEmpty(review.metadata) ? [] : [invalid(metadataPath, review.metadata, "must be empty")]),
  ];
}

export function validateLocalSubjectAccessReview(review: LocalSubjectAccessReview): FieldError[] {
  const { metadata, spec } = review;
  const { namespace = "" } = metadata;
  const errors = validateSubjectSpec(spec);
  if (!isEmpty({ ...metadata, namespace: undefined })) {
    errors.push(invalid(metadataPath, metadata, "must be empty except for namespace"));
  }
  const asked = spec.resourceAttributes?.namespace ?? "";
  if (spec.resourceAttributes !== undefined && asked !== namespace) {
    const path = specPath.child("resourceAttributes", "namespace");
    errors.push(invalid(path, asked, "must match metadata.namespace"));
  }
  if (spec.nonResourceAttributes !== undefined) {
    const printed = printAttributes(spec.nonResourceAttributes);
    const path = specPath.child("nonResourceAttributes");
    errors.push(invalid(path, printed, "disallowed on this kind of request"));
  }
  return errors;
}

function validateSubjectSpec(spec: SubjectAccessReviewSpec): FieldError[] {
  const errors = validateAttributes(spec);
  const { user = "", groups = [] } = spec;
  if (user === "" && groups.length === 0) {
    errors.push(invalid(specPath.child("user"), user, "at least one of user or group must be specified"));
  }
  return errors;
}

function validateAttributes(spec: SelfSubjectAccessReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const why = "cannot be specified in combination with resourceAttributes";
    const printed = printAttributes(nonResourceAttributes);
    return [invalid(specPath.child("nonResourceAttributes"), printed, why)];
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    return [invalid(specPath.child("resourceAttributes"), undefined, why)];
  }
  return [];
}

function printAttributes({ path = "", verb = "" }: NonResourceAttributes): PrintedValue {
  const [printedPath, printedVerb] = [path, verb].map((text) => JSON.stringify(text));
  return new PrintedValue(`authorization.NonResourceAttributes{Path:${printedPath}, Verb:${printedVerb}}`);
}

/** Reviews must not have metadata, except managed fields. */
function isEmpty({ managedFields: _managedFields, ...meta }: ObjectMeta): boolean {
  return Object.values(meta).every((value) => value === undefined || value === "");
}

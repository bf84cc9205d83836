import { type FieldError, FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { printStruct } from "../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";
import {
  validateLabelSelectorRequirement,
  validateOperatorValues,
} from "../../apimachinery/validation/label-selector.js";
import { fieldRules } from "../definition/field-rules.js";
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from "../gen/authorization-v1.js";
import type { FieldSelectorRequirement } from "../gen/meta-v1.js";

const requirementRules = fieldRules<FieldSelectorRequirement>(metaV1Types, "FieldSelectorRequirement");

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
    ...validateSelectors(review.spec.resourceAttributes),
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
  errors.push(...validateSelectors(spec.resourceAttributes));
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

const attributesPath = specPath.child("resourceAttributes");

/** Unknown operators pass: clients may know more than this server, and the question without the condition is only broader. */
function validateSelectors({ fieldSelector, labelSelector }: ResourceAttributes = {}): FieldError[] {
  const fieldPath = attributesPath.child("fieldSelector");
  const labelPath = attributesPath.child("labelSelector");
  return [
    ...(fieldSelector === undefined ? [] : formErrors(fieldSelector, fieldPath)),
    ...errorsOfEach(fieldSelector?.requirements, (requirement, index) => {
      const path = fieldPath.child("requirements").index(index);
      return [
        ...requirementRules.check(requirement, path, "key"),
        ...validateOperatorValues(requirement.operator, requirement.values ?? [], path),
      ];
    }),
    ...(labelSelector === undefined ? [] : formErrors(labelSelector, labelPath)),
    ...errorsOfEach(labelSelector?.requirements, (requirement, index) =>
      validateLabelSelectorRequirement(requirement, labelPath.child("requirements").index(index), {
        checksValues: true,
        allowsUnknownOperators: true,
      }),
    ),
  ];
}

function formErrors(
  { rawSelector = "", requirements = [] }: FieldSelectorAttributes | LabelSelectorAttributes,
  path: FieldPath,
): FieldError[] {
  if (rawSelector !== "" && requirements.length > 0) {
    return [
      invalid(path.child("rawSelector"), rawSelector, "may not specified at the same time as requirements"),
    ];
  }
  if (rawSelector === "" && requirements.length === 0) {
    const why = `when ${path} is specified, requirements or rawSelector is required`;
    return [required(path.child("requirements"), why)];
  }
  return [];
}

function printAttributes({ path = "", verb = "" }: NonResourceAttributes): PrintedValue {
  return printStruct("authorization.NonResourceAttributes", { Path: path, Verb: verb });
}

/** Reviews must not have metadata, except managed fields. */
function isEmpty({ managedFields: _managedFields, ...meta }: ObjectMeta): boolean {
  return Object.values(meta).every((value) => value === undefined || value === "");
}

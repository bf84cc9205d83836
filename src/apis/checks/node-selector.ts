import { append } from "../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";
import { validateLabelName } from "../../apimachinery/validation/labels.js";
import { isValidLabelValue } from "../../apimachinery/validation/qualified-name.js";
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from "../gen/core-v1.js";
import { validateObjectName } from "./value-checks.js";

/** At least one term; an empty term is fine and matches nothing. With `anyValues`, values need not be valid label values. */
export function validateNodeSelector(
  selector: NodeSelector,
  path: FieldPath,
  { anyValues }: { readonly anyValues: boolean },
): FieldError[] {
  const termsPath = path.child("nodeSelectorTerms");
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(termsPath, "must have at least one node selector term")];
  return errorsOfEach(terms, (term, index) =>
    validateNodeSelectorTerm(term, termsPath.index(index), anyValues),
  );
}

/** Whether a selector has values that are not valid label values. */
export function hasWrongValues(selector: NodeSelector | undefined): boolean {
  return (selector?.nodeSelectorTerms ?? []).some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => isValidLabelValue(value).length > 0)),
  );
}

export function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  path: FieldPath,
  anyValues: boolean,
): FieldError[] {
  return [
    ...errorsOfEach(matchExpressions, (requirement, at) =>
      labelErrors(requirement, path.child("matchExpressions").index(at), anyValues),
    ),
    ...errorsOfEach(matchFields, (requirement, at) =>
      fieldErrors(requirement, path.child("matchFields").index(at)),
    ),
  ];
}

function labelErrors(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
  anyValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const valuesPath = path.child("values");
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        errors.push(required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        errors.push(
          forbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      break;
    case "Gt":
    case "Lt":
      if (values.length !== 1) {
        errors.push(required(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      }
      break;
    default:
      errors.push(invalid(path.child("operator"), operator, "not a valid selector operator"));
  }
  append(errors, validateLabelName(key, path.child("key")));
  if (anyValues) return errors;
  for (const [index, value] of values.entries()) {
    append(
      errors,
      isValidLabelValue(value).map((problem) => invalid(valuesPath.index(index), value, problem)),
    );
  }
  return errors;
}

/** Nodes can be selected by one field only, their name. */
function fieldErrors({ key, operator, values = [] }: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalid(path.child("operator"), operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(path.child("values"), why));
  }
  if (key !== "metadata.name") {
    return [...errors, invalid(path.child("key"), key, "not a valid field selector key")];
  }
  for (const [index, value] of values.entries()) {
    append(errors, validateObjectName(value, path.child("values").index(index)));
  }
  return errors;
}

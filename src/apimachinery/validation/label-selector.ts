import { append } from "../collections/append.js";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "../errors/field-error.js";
import { errorsOfEach } from "./errors-of-each.js";
import { validateLabelName, validateLabels } from "./labels.js";
import { isValidLabelValue } from "./qualified-name.js";

/** `meta/v1` LabelSelector, as objects contain it. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelSelectorRequirementObject[] | undefined;
}

export interface LabelSelectorRequirementObject {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** `checksValues`: whether values of expressions must be possible label values, as they must in new selectors since 1.24. */
export function validateLabelSelector(
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
  checksValues = false,
): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, path.child("matchLabels")),
    ...errorsOfEach(selector.matchExpressions, (requirement, index) =>
      validateLabelSelectorRequirement(
        requirement,
        path.child("matchExpressions").index(index),
        checksValues,
      ),
    ),
  ];
}

/** Whether a stored selector has values that no label can have, which its updates may keep. */
export function hasImpossibleValues(selector: LabelSelectorObject | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values }) =>
    (values ?? []).some((value) => isValidLabelValue(value).length > 0),
  );
}

function validateLabelSelectorRequirement(
  requirement: LabelSelectorRequirementObject,
  path: FieldPath,
  checksValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        errors.push(required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        errors.push(
          forbidden(
            path.child("values"),
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        );
      }
      break;
    default:
      errors.push(invalid(path.child("operator"), requirement.operator, "not a valid selector operator"));
  }
  append(errors, validateLabelName(requirement.key, path.child("key")));
  if (!checksValues) return errors;
  return [
    ...errors,
    ...errorsOfEach(values, (value, index) =>
      isValidLabelValue(value).map((problem) => invalid(path.child("values").index(index), value, problem)),
    ),
  ];
}

import { append } from "../collections/append.js";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "../errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../levels/api-level.js";
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

/** `checksValues`: whether values of expressions must be possible label values, see `checksSelectorValues`. */
export function validateLabelSelector(
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
  checksValues = false,
): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, path.child("matchLabels")),
    ...errorsOfEach(selector.matchExpressions, (requirement, index) =>
      validateLabelSelectorRequirement(requirement, path.child("matchExpressions").index(index), {
        checksValues,
      }),
    ),
  ];
}

/** Whether values of expressions must be valid label values: since 1.26, unless one of the stored selectors has others. */
export function checksSelectorValues(
  level: ApiLevel,
  stored: readonly (LabelSelectorObject | undefined)[] = [],
): boolean {
  return isAtLeast(level, "1.26") && !stored.some(hasImpossibleValues);
}

function hasImpossibleValues(selector: LabelSelectorObject | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values }) =>
    (values ?? []).some((value) => isValidLabelValue(value).length > 0),
  );
}

export interface RequirementRules {
  readonly checksValues: boolean;
  readonly allowsUnknownOperators?: boolean;
}

export function validateLabelSelectorRequirement(
  requirement: LabelSelectorRequirementObject,
  path: FieldPath,
  { checksValues, allowsUnknownOperators = false }: RequirementRules,
): FieldError[] {
  const { operator, values = [] } = requirement;
  const errors = validateOperatorValues(operator, values, path);
  if (!allowsUnknownOperators && !operators.has(operator)) {
    errors.push(invalid(path.child("operator"), operator, "not a valid selector operator"));
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

const operators: ReadonlySet<string> = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);

/** Checks that there are values if and only if the operator needs them. */
export function validateOperatorValues(
  operator: string,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  if ((operator === "In" || operator === "NotIn") && values.length === 0) {
    return [required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [forbidden(path.child("values"), why)];
  }
  return [];
}

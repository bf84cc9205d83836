import { messageOf } from "../errors/message-of.js";
import { parseFieldSelector } from "../selectors/field-selector.js";
import {
  type LabelOperator,
  type LabelRequirement,
  requirementProblem,
} from "../selectors/label-requirement.js";
import { parseLabelSelector } from "../selectors/label-selector.js";
import type { AccessInfo } from "./authorizer.js";

/** One condition, as reviews name it: In, NotIn, and for labels Exists and DoesNotExist. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * To which objects a list, watch or deletion of many is limited. Selectors only narrow: what could not be understood is left out, and
 * the question is about more objects.
 */
export interface AccessSelectors {
  /** Each has one value; a field cannot be asked whether it exists. */
  readonly fields: readonly SelectorRequirement[];
  readonly labels: readonly SelectorRequirement[];
}

/** Requirements that were understood, and what was not. */
export interface ReadRequirements {
  readonly requirements: readonly SelectorRequirement[];
  readonly error?: string | undefined;
}

/** Undefined where nothing narrows the question. */
export function accessSelectors(
  fields: readonly SelectorRequirement[],
  labels: readonly SelectorRequirement[],
): AccessSelectors | undefined {
  return fields.length + labels.length === 0 ? undefined : { fields, labels };
}

/** Whether a question is limited to objects of which `field` has `value`. */
export function isLimitedTo({ selectors }: AccessInfo, field: string, value: string): boolean {
  return (
    selectors?.fields.some(
      ({ key, operator, values }) => key === field && operator === "In" && values?.[0] === value,
    ) === true
  );
}

/** A selector of fields, as queries have it. */
export function fieldRequirementsOf(text: string): ReadRequirements {
  return parsed(() =>
    parseFieldSelector(text)
      .requirements()
      .map(({ field, operator, value }) => ({
        key: field,
        operator: operator === "=" ? "In" : "NotIn",
        values: [value],
      })),
  );
}

/** A selector of labels, as queries have it. Comparisons of numbers have no form in a review. */
export function labelRequirementsOf(text: string): ReadRequirements {
  return parsed(() => parseLabelSelector(text).requirements().flatMap(reviewedRequirement));
}

function parsed(read: () => readonly SelectorRequirement[]): ReadRequirements {
  try {
    return { requirements: read() };
  } catch (error) {
    return { requirements: [], error: messageOf(error) };
  }
}

const operators: Readonly<Partial<Record<LabelOperator, string>>> = {
  "=": "In",
  "==": "In",
  in: "In",
  "!=": "NotIn",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

function reviewedRequirement({ key, operator: asked, values }: LabelRequirement): SelectorRequirement[] {
  const operator = operators[asked];
  if (operator === undefined) return [];
  return [{ key, operator, ...(values.length > 0 && { values: [...values] }) }];
}

/** The requirements of a review that can be understood. */
export function knownFieldRequirements(given: readonly SelectorRequirement[]): ReadRequirements {
  return known(given, ({ operator, values = [] }) => {
    if (values.length > 1) return "fieldSelectors do not yet support multiple values";
    if (operator === "In" || operator === "NotIn") {
      return values.length === 1
        ? undefined
        : `fieldSelectors ${operator === "In" ? "in" : "not in"} must have one value`;
    }
    if (operator === "Exists" || operator === "DoesNotExist") {
      return `fieldSelectors do not yet support ${operator}`;
    }
    return `${JSON.stringify(operator)} is not a valid field selector operator`;
  });
}

const labelOperators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

export function knownLabelRequirements(given: readonly SelectorRequirement[]): ReadRequirements {
  return known(given, ({ key, operator, values = [] }) => {
    const asked = labelOperators.get(operator);
    return asked === undefined
      ? `${JSON.stringify(operator)} is not a valid label selector operator`
      : requirementProblem({ key, operator: asked, values });
  });
}

function known(
  given: readonly SelectorRequirement[],
  problemOf: (requirement: SelectorRequirement) => string | undefined,
): ReadRequirements {
  const requirements: SelectorRequirement[] = [];
  let error: string | undefined;
  for (const requirement of given) {
    const problem = problemOf(requirement);
    if (problem === undefined) requirements.push(requirement);
    else error ??= problem;
  }
  return { requirements, error };
}

import { messageOf } from "../errors/message-of.js";
import type { SelectorRequirement } from "../requests/access-selectors.js";
import { parseFieldSelector } from "./field-selector.js";
import { type LabelOperator, type LabelRequirement, requirementProblem } from "./label-requirement.js";
import { parseLabelSelector } from "./label-selector.js";

/** Requirements that were understood, and those that were not. */
export interface ReadRequirements {
  readonly requirements: readonly SelectorRequirement[];
  readonly error?: string | undefined;
}

/** A field selector, as in a query. */
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

/** A label selector, as in a query. Comparisons of numbers have no form in a review. */
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

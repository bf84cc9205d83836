import { compareUtf8 } from "../collections/compare-text.js";
import type { LabelSelectorObject } from "../validation/label-selector.js";
import { parseLabelRequirements } from "./label-parser.js";
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  printRequirement,
  requirementProblem,
} from "./label-requirement.js";
import { LabelRules } from "./label-rules.js";

/** Which labels an object must have. Immutable. */
export class LabelSelector {
  readonly #requirements: readonly LabelRequirement[];
  readonly #selectsNothing: boolean;
  /** Created by the first match. */
  #rules: LabelRules | undefined;

  private constructor(requirements: readonly LabelRequirement[], selectsNothing: boolean) {
    this.#requirements = requirements;
    this.#selectsNothing = selectsNothing;
  }

  static everything(): LabelSelector {
    return new LabelSelector([], false);
  }

  static nothing(): LabelSelector {
    return new LabelSelector([], true);
  }

  /** From requirements known to be valid; their order does not matter. */
  static of(requirements: readonly LabelRequirement[]): LabelSelector {
    return new LabelSelector(
      [...requirements].sort((a, b) => compareUtf8(a.key, b.key)),
      false,
    );
  }

  matches(labels: Labels | undefined): boolean {
    if (this.#selectsNothing) return false;
    this.#rules ??= new LabelRules(this.#requirements);
    return this.#rules.matches(labels ?? noLabels);
  }

  /** Whether every object matches. */
  isEmpty(): boolean {
    return !this.#selectsNothing && this.#requirements.length === 0;
  }

  isNothing(): boolean {
    return this.#selectsNothing;
  }

  /** In order of key; also empty for the selector that matches nothing. */
  requirements(): readonly LabelRequirement[] {
    return this.#requirements;
  }

  /** The single value that `key` must have, if there is one. */
  exactValue(key: string): string | undefined {
    const found = this.#requirements.find((requirement) => requirement.key === key);
    const exact = found !== undefined && ["=", "==", "in"].includes(found.operator);
    return exact && found.values.length === 1 ? found.values[0] : undefined;
  }

  /** The canonical text: parsing it gives an equal selector. */
  toString(): string {
    return this.#requirements.map(printRequirement).join(",");
  }
}

const noLabels: Labels = {};

/**
 * The `labelSelector` query parameter: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>3,m<4`. Throws an `Error` with
 * the text for the client.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return LabelSelector.of(parseLabelRequirements(text));
}

/**
 * A selector inside an object: undefined matches nothing, an empty one everything. Throws an `Error` for input that validation would
 * have refused.
 */
export function labelSelectorFromObject(object: LabelSelectorObject | undefined | null): LabelSelector {
  if (object === undefined || object === null) return LabelSelector.nothing();
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(object.matchLabels ?? {})) {
    requirements.push(checked({ key, operator: "=", values: [value] }));
  }
  for (const { key, operator, values } of object.matchExpressions ?? []) {
    requirements.push(checked({ key, operator: operatorOf(operator), values: values ?? [] }));
  }
  return LabelSelector.of(requirements);
}

/**
 * Like `labelSelectorFromObject`, but a selector that cannot be read selects nothing: levels before 1.26 store selectors with values that
 * no label can have.
 */
export function storedLabelSelector(object: LabelSelectorObject | undefined | null): LabelSelector {
  try {
    return labelSelectorFromObject(object);
  } catch {
    return LabelSelector.nothing();
  }
}

function operatorOf(operator: string): LabelOperator {
  switch (operator) {
    case "In":
      return "in";
    case "NotIn":
      return "notin";
    case "Exists":
      return "exists";
    case "DoesNotExist":
      return "!";
    default:
      throw new Error(`${JSON.stringify(operator)} is not a valid label selector operator`);
  }
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const problem = requirementProblem(requirement);
  if (problem !== undefined) throw new Error(problem);
  return requirement;
}

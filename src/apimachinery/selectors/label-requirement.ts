import { compareUtf8 } from "../collections/compare-text.js";
import { isQualifiedName, isValidLabelValue } from "../validation/qualified-name.js";
import { int64, parseDecimal } from "../values/decimal-integer.js";

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** One value for the equality and comparison operators, none for `exists` and `!`. */
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

export function printRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${[...values].sort(compareUtf8).join(",")})`;
    default:
      return `${key}${operator}${values[0] ?? ""}`;
  }
}

/** As Kubernetes reads integers: an optional sign, decimal digits, within 64 bits. */
function parseInt64(text: string): bigint | undefined {
  const value = parseDecimal(text, int64);
  return typeof value === "bigint" ? value : undefined;
}

/** Why a requirement is invalid, in Kubernetes' words. */
export function requirementProblem({ key, operator, values }: LabelRequirement): string | undefined {
  const problems: string[] = [];
  const keyProblems = isQualifiedName(key);
  if (keyProblems.length > 0) {
    problems.push(`key: Invalid value: ${JSON.stringify(key)}: ${keyProblems.join("; ")}`);
  }
  if ((operator === "in" || operator === "notin") && values.length === 0) {
    problems.push(
      "values: Invalid value: []string{}: for 'in', 'notin' operators, values set can't be empty",
    );
  }
  if ((operator === "exists" || operator === "!") && values.length > 0) {
    const shown = values.map((value) => JSON.stringify(value)).join(", ");
    problems.push(
      `values: Invalid value: []string{${shown}}: values set must be empty for exists and does not exist`,
    );
  }
  for (const [index, value] of values.entries()) {
    const shown = JSON.stringify(value);
    if ((operator === ">" || operator === "<") && parseInt64(value) === undefined) {
      problems.push(
        `values[${index}]: Invalid value: ${shown}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of values.entries()) {
    const valueProblems = isValidLabelValue(value);
    if (valueProblems.length === 0) continue;
    const shown = JSON.stringify(value);
    problems.push(`values[${index}][${key}]: Invalid value: ${shown}: ${valueProblems.join("; ")}`);
  }
  if (problems.length < 2) return problems[0];
  return `[${problems.join(", ")}]`;
}

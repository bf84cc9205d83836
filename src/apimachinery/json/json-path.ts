import { isJsonObject, type JsonValue } from "./json-value.js";
import { isJsonArray, jsonEqual } from "./json-values.js";
import { parseJsonPath, type Step } from "./parse-json-path.js";

/**
 * Limit of steps for one row: enough for all columns of any real object. Kubernetes has none, but tables are made on the serving thread, and
 * a definition may have thousands of columns.
 */
const stepsMax = 100_000;

/** What is left of the steps that several lookups may take together. */
export class PathSteps {
  left = stepsMax;
}

/**
 * A path into an object in the dialect of kubectl and of custom resources' columns: `.status.conditions[?(@.type=="Ready")].status`.
 * Has names, `['names']`, indexes, slices, lists of those, `*`, `..` and comparisons with a literal.
 * Source: https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
export class JsonPath {
  readonly #steps: readonly Step[];

  /** Throws an `Error` for text that is not a path. */
  constructor(text: string) {
    this.#steps = parseJsonPath(text);
  }

  /** The selected values in order; empty when the path matches nothing, or takes more steps than are left. */
  find(root: JsonValue, steps = new PathSteps()): readonly JsonValue[] {
    try {
      return follow([root], this.#steps, steps);
    } catch (error) {
      if (error instanceof TooManySteps) return [];
      throw error;
    }
  }

  first(root: JsonValue, steps?: PathSteps): JsonValue | undefined {
    return this.find(root, steps)[0];
  }
}

class TooManySteps extends Error {}

function follow(start: readonly JsonValue[], steps: readonly Step[], walk: PathSteps): readonly JsonValue[] {
  let values = start;
  for (const step of steps) {
    const next: JsonValue[] = [];
    for (const value of values) {
      spend(walk, 1);
      take(value, step, next, walk);
    }
    values = next;
    if (values.length === 0) break;
  }
  return values;
}

function spend(steps: PathSteps, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new TooManySteps();
}

function take(value: JsonValue, step: Step, out: JsonValue[], walk: PathSteps): void {
  switch (step.kind) {
    case "names":
      if (!isJsonObject(value)) return;
      spend(walk, step.names.length);
      for (const name of step.names) {
        const member = Object.hasOwn(value, name) ? value[name] : undefined;
        if (member !== undefined) out.push(member);
      }
      return;
    case "indexes":
      if (!isJsonArray(value)) return;
      spend(walk, step.indexes.length);
      for (const index of step.indexes) {
        const item = value.at(index);
        if (item !== undefined) out.push(item);
      }
      return;
    case "slice":
      if (!isJsonArray(value)) return;
      spend(walk, value.length);
      takeSlice(value, step, out);
      return;
    case "every":
      for (const child of childrenOf(value, walk)) out.push(child);
      return;
    case "descendants":
      takeDescendants(value, out, walk);
      return;
    case "filter":
      for (const child of childrenOf(value, walk)) if (holds(child, step, walk)) out.push(child);
      return;
  }
}

function takeSlice(
  items: readonly JsonValue[],
  step: { from?: number; to?: number; by: number },
  out: JsonValue[],
): void {
  const place = (index: number): number =>
    Math.min(items.length, Math.max(0, index < 0 ? index + items.length : index));
  const to = place(step.to ?? items.length);
  for (let index = place(step.from ?? 0); index < to; index += step.by) {
    const item = items[index];
    if (item !== undefined) out.push(item);
  }
}

function childrenOf(value: JsonValue, walk: PathSteps): readonly JsonValue[] {
  const children = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  spend(walk, children.length);
  return children;
}

function takeDescendants(value: JsonValue, out: JsonValue[], walk: PathSteps): void {
  out.push(value);
  for (const child of childrenOf(value, walk)) {
    if (typeof child === "object" && child !== null) takeDescendants(child, out, walk);
    else if (child !== undefined) out.push(child);
  }
}

function holds(value: JsonValue, { path, compare }: Step & { kind: "filter" }, walk: PathSteps): boolean {
  const [found] = follow([value], path, walk);
  if (compare === undefined) return found !== undefined;
  if (found === undefined) return false;
  const { operator, literal } = compare;
  if (operator === "==") return jsonEqual(found, literal);
  if (operator === "!=") return !jsonEqual(found, literal);
  if (typeof found !== typeof literal || found === null || literal === null) return false;
  switch (operator) {
    case "<":
      return found < literal;
    case "<=":
      return found <= literal;
    case ">":
      return found > literal;
    case ">=":
      return found >= literal;
  }
}

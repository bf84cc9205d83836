import { isJsonObject, type JsonValue } from "./json-value.js";
import { isJsonArray } from "./json-values.js";
import { type Comparison, type Path, parseJsonPath, type SliceStep, type Step } from "./parse-json-path.js";

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
 * Has names, `['names']`, indexes, slices, lists of those, `*`, `..` and comparisons. As in Kubernetes, a path that does not fit the
 * object (an index beyond its end, the comparison of a text with a number) finds nothing, not even what fits.
 * Source: https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
export class JsonPath {
  readonly #path: Path;

  /** Throws an `Error` for text that is not a path. */
  constructor(text: string) {
    this.#path = parseJsonPath(text);
  }

  /** The selected values in order; empty when the path matches nothing, does not fit, or takes more steps than are left. */
  find(root: JsonValue, steps = new PathSteps()): readonly JsonValue[] {
    try {
      return follow([root], this.#path, steps);
    } catch (error) {
      if (error instanceof FindsNothing) return [];
      throw error;
    }
  }

  first(root: JsonValue, steps?: PathSteps): JsonValue | undefined {
    return this.find(root, steps)[0];
  }
}

class FindsNothing extends Error {}

function follow(start: readonly JsonValue[], path: Path, walk: PathSteps): readonly JsonValue[] {
  let values = start;
  for (const step of path) values = next(values, step, walk);
  return values;
}

function next(values: readonly JsonValue[], step: Step, walk: PathSteps): readonly JsonValue[] {
  spend(walk, 1);
  if (step.kind === "word") throw new FindsNothing();
  // A string literal selects itself once; a number or boolean once for each value.
  if (step.kind === "literal") {
    if (typeof step.value === "string") return [step.value];
    spend(walk, Math.max(0, values.length - 1));
    return values.map(() => step.value);
  }
  const out: JsonValue[] = [];
  if (step.kind === "union") {
    for (const path of step.paths) for (const found of follow(values, path, walk)) out.push(found);
    return out;
  }
  for (const value of values) {
    spend(walk, 1);
    take(value, step, out, walk);
  }
  return out;
}

function spend(steps: PathSteps, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new FindsNothing();
}

type OneByOne = Exclude<Step, { readonly kind: "literal" | "word" | "union" }>;

function take(value: JsonValue, step: OneByOne, out: JsonValue[], walk: PathSteps): void {
  switch (step.kind) {
    case "name": {
      if (!isJsonObject(value)) return;
      const member = Object.hasOwn(value, step.name) ? value[step.name] : undefined;
      if (member !== undefined) out.push(member);
      return;
    }
    case "slice":
      if (value === null) return;
      spend(walk, takeSlice(itemsOf(value), step, out));
      return;
    case "every":
      for (const child of childrenOf(value, walk)) out.push(child);
      return;
    case "descendants":
      takeDescendants(value, out, walk);
      return;
    case "filter": {
      const items = itemsOf(value);
      spend(walk, items.length);
      for (const item of items) if (holds(item, step, walk)) out.push(item);
      return;
    }
  }
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  if (!isJsonArray(value)) throw new FindsNothing();
  return value;
}

/** Returns how many items it took. */
function takeSlice(items: readonly JsonValue[], step: SliceStep, out: JsonValue[]): number {
  const { length } = items;
  const { from = 0, by = 1, isIndex } = step;
  const start = from < 0 ? from + length : from;
  const to = step.to ?? (isIndex ? from + 1 : length);
  const isFromEnd = to < 0 || (to === 0 && isIndex);
  const end = isFromEnd ? to + length : to;
  if (start === end) return 0;
  if (start < 0 || start > end || end > length || by <= 0) throw new FindsNothing();
  for (let index = start; index < end; index += by) out.push(items[index] ?? null);
  return end - start;
}

function childrenOf(value: JsonValue, walk: PathSteps): readonly JsonValue[] {
  const children = isJsonArray(value) ? value : isJsonObject(value) ? membersOf(value) : [];
  spend(walk, children.length);
  return children;
}

function membersOf(object: { readonly [name: string]: JsonValue | undefined }): JsonValue[] {
  return Object.values(object).filter((member) => member !== undefined);
}

/** The value and all below it, except numbers, booleans and what is empty. */
function takeDescendants(value: JsonValue, out: JsonValue[], walk: PathSteps): void {
  if (typeof value === "string" && value !== "") out.push(value);
  const children = childrenOf(value, walk);
  if (children.length === 0) return;
  out.push(value);
  for (const child of children) takeDescendants(child, out, walk);
}

function holds(value: JsonValue, { path, compare }: Step & { kind: "filter" }, walk: PathSteps): boolean {
  if (compare === undefined) return exists(value, path, walk);
  const left = follow([value], path, walk);
  if (left.length === 0) return false;
  const right = follow([value], compare.right, walk);
  const [ours] = left;
  const [theirs] = right;
  if (left.length > 1 || right.length > 1 || ours === undefined || theirs === undefined)
    throw new FindsNothing();
  const kind = kindOf(ours, path);
  if (kind === undefined || kind !== kindOf(theirs, compare.right)) throw new FindsNothing();
  return compared(ours, theirs, kind, compare.operator);
}

function exists(value: JsonValue, path: Path, walk: PathSteps): boolean {
  try {
    return follow([value], path, walk).length > 0;
  } catch (error) {
    if (error instanceof FindsNothing && walk.left >= 0) return false;
    throw error;
  }
}

/** Only scalars of one kind can be compared. */
function kindOf(value: JsonValue, path: Path): string | undefined {
  const last = path.at(-1);
  if (last?.kind === "literal" && last.isFraction) return "fraction";
  switch (typeof value) {
    case "string":
    case "boolean":
      return typeof value;
    case "number":
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? "integer" : "fraction";
    case "bigint":
      return "integer";
    default:
      return undefined;
  }
}

function compared(
  left: JsonValue,
  right: JsonValue,
  kind: string,
  operator: Comparison["operator"],
): boolean {
  // An integer may be a number on one side and a bigint on the other.
  const isEqual = left === right || (kind === "integer" && String(left) === String(right));
  if (operator === "==") return isEqual;
  if (operator === "!=") return !isEqual;
  if (kind === "boolean" || left === null || right === null) throw new FindsNothing();
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      throw new FindsNothing();
  }
}

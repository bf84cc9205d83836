import { isJsonObject, type JsonValue } from "./json-value.js";
import { isJsonArray, jsonEqual } from "./json-values.js";

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
    this.#steps = new PathParser(text).path();
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

type Step =
  | { readonly kind: "names"; readonly names: readonly string[] }
  | { readonly kind: "indexes"; readonly indexes: readonly number[] }
  | { readonly kind: "slice"; readonly from?: number; readonly to?: number; readonly by: number }
  | { readonly kind: "every" }
  | { readonly kind: "descendants" }
  | { readonly kind: "filter"; readonly path: readonly Step[]; readonly compare?: Comparison };

interface Comparison {
  readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly literal: JsonValue;
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

/** No real path is longer. */
const textMax = 4096;

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (text.length > textMax) throw new Error("the path is too long");
    this.#text = text;
  }

  path(): readonly Step[] {
    if (this.#peek() === "$") this.#at++;
    const steps = this.#steps(() => this.#at >= this.#text.length);
    return steps;
  }

  #steps(isEnd: () => boolean): Step[] {
    const steps: Step[] = [];
    while (!isEnd()) {
      if (this.#take("..")) {
        steps.push({ kind: "descendants" });
        if (this.#peek() !== "[") steps.push(this.#name());
      } else if (this.#take(".")) {
        if (this.#peek() !== "[" && this.#peek() !== "") steps.push(this.#name());
      } else if (this.#take("[")) {
        steps.push(this.#bracket());
      } else {
        throw this.#error("expected . or [");
      }
    }
    return steps;
  }

  #name(): Step {
    if (this.#take("*")) return { kind: "every" };
    let name = "";
    for (;;) {
      const character = this.#peek();
      if (character === "\\") {
        name += this.#text[this.#at + 1] ?? "";
        this.#at += 2;
      } else if (character === "" || ".[]()=!<>, \t".includes(character)) {
        break;
      } else {
        name += character;
        this.#at++;
      }
    }
    if (name === "") throw this.#error("expected a name");
    return { kind: "names", names: [name] };
  }

  #bracket(): Step {
    this.#space();
    if (this.#take("?(")) return this.#filter();
    if (this.#take("*")) return this.#closed({ kind: "every" });
    if (this.#peek() === "'" || this.#peek() === '"') {
      return this.#closed({ kind: "names", names: this.#list(() => this.#quoted()) });
    }
    const rest = /(-?\d+)?\s*:\s*(-?\d+)?(?:\s*:\s*(\d+))?/y;
    rest.lastIndex = this.#at;
    const slice = rest.exec(this.#text);
    if (slice !== null) {
      this.#at = rest.lastIndex;
      const [, from, to, by] = slice;
      return this.#closed({
        kind: "slice",
        ...(from !== undefined && { from: Number(from) }),
        ...(to !== undefined && { to: Number(to) }),
        by: Math.max(1, Number(by ?? 1)),
      });
    }
    return this.#closed({ kind: "indexes", indexes: this.#list(() => this.#integer()) });
  }

  #filter(): Step {
    this.#space();
    if (!this.#take("@")) throw this.#error("expected @");
    const path = this.#steps(() => !".[".includes(this.#peek()) || this.#peek() === "");
    this.#space();
    const operator = this.#operator();
    const step: Step = {
      kind: "filter",
      path,
      ...(operator !== undefined && { compare: { operator, literal: this.#literal() } }),
    };
    this.#space();
    if (!this.#take(")")) throw this.#error("expected )");
    return this.#closed(step);
  }

  #operator(): Comparison["operator"] | undefined {
    for (const operator of ["==", "!=", "<=", ">=", "<", ">"] as const)
      if (this.#take(operator)) return operator;
    return undefined;
  }

  #literal(): JsonValue {
    this.#space();
    const character = this.#peek();
    if (character === '"' || character === "'") return this.#quoted();
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const)
      if (this.#take(word)) return value;
    const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = this.#at;
    const found = number.exec(this.#text);
    if (found === null) throw this.#error("expected a text or a number");
    this.#at = number.lastIndex;
    return Number(found[0]);
  }

  #quoted(): string {
    const quote = this.#peek();
    this.#at++;
    let text = "";
    for (;;) {
      const character = this.#peek();
      if (character === "") throw this.#error("unterminated quoted string");
      this.#at++;
      if (character === quote) return text;
      if (character === "\\") {
        text += this.#peek();
        this.#at++;
      } else {
        text += character;
      }
    }
  }

  #integer(): number {
    this.#space();
    const digits = /-?\d+/y;
    digits.lastIndex = this.#at;
    const found = digits.exec(this.#text);
    if (found === null) throw this.#error("expected an index");
    this.#at = digits.lastIndex;
    return Number(found[0]);
  }

  #list<T>(item: () => T): T[] {
    const items = [item()];
    for (;;) {
      this.#space();
      if (!this.#take(",")) return items;
      this.#space();
      items.push(item());
    }
  }

  #closed(step: Step): Step {
    this.#space();
    if (!this.#take("]")) throw this.#error("expected ]");
    return step;
  }

  #space(): void {
    while (this.#peek() === " " || this.#peek() === "\t") this.#at++;
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #error(why: string): Error {
    return new Error(`${why} at position ${this.#at}`);
  }
}

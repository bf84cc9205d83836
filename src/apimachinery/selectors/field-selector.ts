import { compareUtf8 } from "../collections/compare-text.js";

export type FieldOperator = "=" | "!=";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: FieldOperator;
  readonly value: string;
}

/** Required values of some fields of an object; a missing field is the empty string. */
export class FieldSelector {
  readonly #requirements: readonly FieldRequirement[];
  /** Created by the first match. */
  #rules: ReadonlyMap<string, FieldRule> | undefined;

  private constructor(requirements: readonly FieldRequirement[]) {
    this.#requirements = requirements;
  }

  static everything(): FieldSelector {
    return new FieldSelector([]);
  }

  static of(requirements: readonly FieldRequirement[]): FieldSelector {
    return new FieldSelector(requirements);
  }

  matches(fields: Readonly<Record<string, string>>): boolean {
    this.#rules ??= rulesOf(this.#requirements);
    for (const [field, { equals, denied }] of this.#rules) {
      const actual = Object.hasOwn(fields, field) ? (fields[field] ?? "") : "";
      for (const value of equals) if (actual !== value) return false;
      if (denied.has(actual)) return false;
    }
    return true;
  }

  isEmpty(): boolean {
    return this.#requirements.length === 0;
  }

  requirements(): readonly FieldRequirement[] {
    return this.#requirements;
  }

  /** The required value of `field`, if there is one: with `metadata.name`, a list is a lookup. */
  exactValue(field: string): string | undefined {
    return this.#requirements.find((r) => r.field === field && r.operator === "=")?.value;
  }

  /** With fields and values renamed to those of another version of the kind. */
  map(change: (requirement: FieldRequirement) => FieldRequirement): FieldSelector {
    return new FieldSelector(this.#requirements.map(change));
  }

  /** Parsing it gives an equal selector. */
  toString(): string {
    return this.#requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(",");
  }
}

/** The combined requirements on one field; several different values for equality match nothing. */
interface FieldRule {
  readonly equals: Set<string>;
  readonly denied: Set<string>;
}

function rulesOf(requirements: readonly FieldRequirement[]): ReadonlyMap<string, FieldRule> {
  const rules = new Map<string, FieldRule>();
  for (const { field, operator, value } of requirements) {
    const rule = rules.get(field) ?? { equals: new Set(), denied: new Set() };
    rules.set(field, rule);
    (operator === "=" ? rule.equals : rule.denied).add(value);
  }
  return rules;
}

/**
 * The `fieldSelector` query parameter: `metadata.name=a,status.phase!=b`. In values `\`, `,` and `=` are
 * written `\\`, `\,` and `\=`. Throws an `Error` with the text for the client.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareUtf8)) {
    if (term === "") continue;
    const match = /!=|==|=/.exec(term);
    if (match === null) throw new Error(`invalid selector: '${text}'; can't understand '${term}'`);
    const field = term.slice(0, match.index);
    const value = unescapeFieldValue(term.slice(match.index + match[0].length));
    // As in Kubernetes, a term of nothing but an operator selects everything.
    if (field === "" && value === "") continue;
    requirements.push({ field, operator: match[0] === "!=" ? "!=" : "=", value });
  }
  return FieldSelector.of(requirements);
}

function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

function unescapeFieldValue(text: string): string {
  let value = "";
  let escaped = false;
  for (const character of text) {
    const special = character === "\\" || character === "," || character === "=";
    if (escaped) {
      if (!special) throw new Error(`invalid field selector: invalid escape sequence: \\${character}`);
      value += character;
      escaped = false;
    } else if (character === "\\") {
      escaped = true;
    } else if (special) {
      // Kubernetes prints the character's number.
      throw new Error(`invalid field selector: unescaped character in value: ${character.codePointAt(0)}`);
    } else {
      value += character;
    }
  }
  if (escaped) throw new Error("invalid field selector: invalid escape sequence: \\");
  return value;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === ",") {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

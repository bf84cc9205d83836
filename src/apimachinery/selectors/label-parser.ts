import { compareUtf8 } from "../collections/compare-text.js";
import { messageOf } from "../errors/message-of.js";
import { isQualifiedName } from "../validation/qualified-name.js";
import { type LabelOperator, type LabelRequirement, requirementProblem } from "./label-requirement.js";

type TokenKind =
  | "end"
  | "error"
  | "identifier"
  | "in"
  | "notin"
  | "="
  | "=="
  | "!="
  | ">"
  | "<"
  | "!"
  | "("
  | ")"
  | ",";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const symbols: readonly TokenKind[] = ["==", "!=", "=", ">", "<", "!", "(", ")", ","];
const binaryOperators: readonly LabelOperator[] = ["in", "notin", "=", "==", "!=", ">", "<"];

/** In the order of the text. Throws an `Error` whose message is for the client. */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  const parser = new LabelParser(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const next = parser.peekValue();
    if (next.kind === "end") return requirements;
    if (next.kind !== "identifier" && next.kind !== "!") {
      throw new Error(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(requirementOf(parser));
    const after = parser.takeValue();
    if (after.kind === "end") return requirements;
    if (after.kind !== ",") throw new Error(`found '${after.text}', expected: ',' or 'end of string'`);
    const following = parser.peekValue();
    if (following.kind !== "identifier" && following.kind !== "!") {
      throw new Error(`found '${following.text}', expected: identifier after ','`);
    }
  }
}

function requirementOf(parser: LabelParser): LabelRequirement {
  try {
    const requirement = parser.requirement();
    const problem = requirementProblem(requirement);
    if (problem !== undefined) throw new Error(problem);
    return requirement;
  } catch (error) {
    const message = messageOf(error);
    throw new Error(`unable to parse requirement: ${message}`);
  }
}

class LabelParser {
  readonly #tokens: Iterator<Token>;
  #next: Token;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
    this.#next = this.#read();
  }

  /** The next token where a key or a value is expected: `in` and `notin` are plain words there. */
  peekValue(): Token {
    const token = this.#next;
    return token.kind === "in" || token.kind === "notin" ? { kind: "identifier", text: token.text } : token;
  }

  takeValue(): Token {
    const token = this.peekValue();
    this.#next = this.#read();
    return token;
  }

  requirement(): LabelRequirement {
    let first = this.takeValue();
    const negated = first.kind === "!";
    if (negated) first = this.takeValue();
    if (first.kind !== "identifier") throw new Error(`found '${first.text}', expected: identifier`);
    const key = first.text;
    const problems = isQualifiedName(key);
    if (problems.length > 0) {
      // Kubernetes has no field path at this point and prints it this way.
      throw new Error(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join("; ")}`);
    }
    if (negated) return { key, operator: "!", values: [] };
    const next = this.peekValue().kind;
    if (next === "end" || next === ",") return { key, operator: "exists", values: [] };
    const operator = this.#operator();
    const values =
      operator === "in" || operator === "notin" ? this.#valueList() : new Set([this.#exactValue()]);
    return { key, operator, values: [...values].sort(compareUtf8) };
  }

  #operator(): LabelOperator {
    const token = this.#next;
    this.#next = this.#read();
    const operator = binaryOperators.find((candidate) => candidate === token.kind);
    if (operator === undefined) {
      throw new Error(`found '${token.text}', expected: ${printedOperators}`);
    }
    return operator;
  }

  #exactValue(): string {
    const next = this.peekValue();
    if (next.kind === "end" || next.kind === ",") return "";
    const token = this.takeValue();
    if (token.kind !== "identifier") throw new Error(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** `(a,b)`; an empty place is the empty value. */
  #valueList(): Set<string> {
    const open = this.takeValue();
    if (open.kind !== "(") throw new Error(`found '${open.text}' expected: '('`);
    const first = this.peekValue();
    if (first.kind === ")") {
      this.takeValue();
      return new Set([""]);
    }
    if (first.kind !== "identifier" && first.kind !== ",") {
      throw new Error(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = new Set<string>();
    for (;;) {
      const token = this.takeValue();
      const next = this.peekValue();
      if (token.kind === "identifier") {
        values.add(token.text);
        if (next.kind === ")") break;
        if (next.kind !== ",") throw new Error(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ",") {
        if (values.size === 0 || next.kind === ")" || next.kind === ",") values.add("");
        if (next.kind === ")") break;
      } else {
        throw new Error(`found '${token.text}', expected: ',', or identifier`);
      }
    }
    this.takeValue();
    return values;
  }

  #read(): Token {
    const { done, value } = this.#tokens.next();
    return done === true ? end : value;
  }
}

/** As Kubernetes names them. */
const printedOperators = "in, notin, =, ==, !=, gt, lt";

const end: Token = { kind: "end", text: "" };

/** Read one by one, so that an early mistake ends the work on a long text. */
function* tokensOf(text: string): Iterator<Token> {
  const token = /[ \t\r\n]*(?:(==|!=|[=<>!(),])|([^=!(),<> \t\r\n\0]+))/y;
  // A NUL ends the text, as it does in Kubernetes' scanner.
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const symbol = symbols.find((candidate) => candidate === found[1]);
    const word = found[2] ?? "";
    if (symbol !== undefined) yield { kind: symbol, text: symbol };
    else yield { kind: word === "in" || word === "notin" ? word : "identifier", text: word };
  }
}

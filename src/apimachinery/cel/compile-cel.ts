import { compileGlobalCall, compileMemberCall } from "./call-forms.js";
import { type CelEnvironment, celEnvironment, defaultRules } from "./cel-environment.js";
import { CelCompileError, type CelProblem, problemAt, problemOfWhole } from "./cel-error.js";
import { CelProgram } from "./cel-program.js";
import { type CelType, optionalOf, scalarTypes, typeTextInError } from "./cel-type.js";
import { problemOfConstants } from "./check-literals.js";
import { compileCall } from "./compile-call.js";
import {
  compileConditional,
  compileLogical,
  falseIfFailing,
  isListOfLiterals,
} from "./compile-conditions.js";
import { compileList, compileMap, type Literal, literal, named } from "./compile-literals.js";
import { compileField, compileIndex } from "./compile-selections.js";
import type { CompileContext, Compiled, Scope } from "./compiled.js";
import { operators, placeOf, qualifiedName } from "./node-places.js";
import { type RewrittenLiterals, rewriteLiterals } from "./object-literals.js";
import { type CelNode, depthMax, parseCel } from "./parse-cel.js";
import { bareRelation, Parentheses } from "./relation-order.js";
import { declaredName } from "./reserved-words.js";

/**
 * Compiles an expression, by default as a rule of a custom resource at the oldest level. The cost is estimated as if all variables had the
 * type of the first. Throws `CelCompileError`.
 */
export function compileCel(
  text: string,
  variables: Readonly<Record<string, CelType>>,
  environment: CelEnvironment = celEnvironment(defaultRules),
): CelProgram {
  const names = Object.keys(variables);
  const root = variables[names[0] ?? ""] ?? scalarTypes.dyn;
  const source = rewriteLiterals(text, environment.hasObjectLiterals);
  const compiler = new Compiler(source, { root, variableCount: names.length, environment });
  const scope: Scope = new Map(
    names.map((name, slot) => [name, { type: variables[name] ?? scalarTypes.dyn, slot }]),
  );
  return new CelProgram(compiler.compileRoot(text, scope), {
    names,
    reads: compiler.reads,
    problem: problemOfConstants(compiler.constants.values()),
  });
}

/** Replaces a part that does not compile, so that its error causes no further ones. */
const faulty: Compiled = { type: scalarTypes.dyn, cost: 0, run: () => null };

/** An expression may have thousands of errors on one long line, and each error quotes the line. Source: cel-go, package `common`. */
const problemsMax = 100;
const problemsTextMax = 32 * 1024;

function shownProblems(problems: readonly CelProblem[]): readonly CelProblem[] {
  const shown = new Map<string, CelProblem>();
  let size = 0;
  for (const problem of problems) {
    size += problem.text.length;
    if (shown.size > 0 && size > problemsTextMax) break;
    shown.set(problem.text, problem);
  }
  return [...shown.values()];
}

const typeNames: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "int",
  "list",
  "map",
  "null_type",
  "optional_type",
  "string",
  "type",
  "uint",
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
]);

/** The types that come with a function, which makes their values. */
const typesOfFunctions: ReadonlyMap<string, string> = new Map([
  ["net.IP", "ip"],
  ["net.CIDR", "cidr"],
]);

interface CompilerParts {
  readonly root: CelType;
  readonly variableCount: number;
  readonly environment: CelEnvironment;
}

class Compiler implements CompileContext {
  readonly #text: string;
  readonly #optionals: RewrittenLiterals["optionals"];
  readonly #originalOffset: (offset: number) => number;
  /** The expression before its literals were rewritten, as errors quote it. */
  #written = "";
  readonly root: CelType;
  readonly #variableCount: number;
  readonly environment: CelEnvironment;
  readonly reads = new Set<string>();
  readonly mixed = new WeakSet<CelNode>();
  readonly #problems: CelProblem[] = [];
  readonly #advice: CelProblem[] = [];
  readonly constants = new Map<CelNode, Compiled>();
  #parentheses: Parentheses | undefined;
  #depth = 0;
  #isTooDeep = false;

  /** The literals are those of `text`. */
  constructor(
    { text, optionals, originalOffset }: RewrittenLiterals,
    { root, variableCount, environment }: CompilerParts,
  ) {
    this.#text = text;
    this.#optionals = optionals;
    this.#originalOffset = originalOffset;
    this.root = root;
    this.#variableCount = variableCount;
    this.environment = environment;
  }

  /** The whole expression. Throws with all its problems. */
  compileRoot(written: string, scope: Scope): Compiled {
    this.#written = written;
    const compiled = this.compile(
      parseCel(this.#text, (place, problem) => this.#problem(place, problem)),
      scope,
    );
    if (this.#isTooDeep) throw new CelCompileError(problemOfWhole("max recursion depth exceeded"));
    const problems = this.#problems.length > 0 ? this.#problems : this.#advice;
    if (problems.length > 0) throw new CelCompileError(...shownProblems(problems));
    return compiled;
  }

  compile(node: CelNode, scope: Scope): Compiled {
    if (this.#depth > depthMax) {
      this.#isTooDeep = true;
      return faulty;
    }
    if (this.#problems.length >= problemsMax) return faulty;
    try {
      this.#depth++;
      return this.#compile(node, scope);
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      for (const problem of error.problems) this.#problems.push(problem);
      return faulty;
    } finally {
      this.#depth--;
    }
  }

  #compile(node: CelNode, scope: Scope): Compiled {
    switch (node.op) {
      case "value":
        return this.#literal(node, node.args);
      case "id":
        return this.#identifier(node, node.args, scope);
      case ".":
        return this.#select(node, node.args[0], node.args[1], scope);
      case "[]":
        return compileIndex(this, node, node.args[0], node.args[1], scope);
      case "call":
        return compileGlobalCall(this, node, node.args[0], node.args[1], scope);
      case "rcall": {
        const [name, receiver, args] = node.args;
        return compileMemberCall(this, { node, name, receiver, args }, scope);
      }
      case "list":
        return compileList(this, node, scope);
      case "map":
        return compileMap(this, node, scope);
      case "?:":
        return compileConditional(this, node, node.args, scope);
      case "||":
      case "&&":
        return compileLogical(this, node, scope);
      case "!_":
      case "-_":
        if (node.op === "-_" && node.args.op === "value") {
          const { args: value } = node.args;
          if (typeof value === "bigint" || typeof value === "number") return this.#literal(node.args, -value);
        }
        return compileCall(this, node, operators[node.op] ?? "", false, [this.compile(node.args, scope)]);
      case ".?":
        this.#checkOptionals(node);
        return this.#optional(this.#select(node, node.args[0], node.args[1], scope, true));
      case "[?]":
        this.#checkOptionals(node);
        return this.#optional(compileIndex(this, node, node.args[0], node.args[1], scope, true));
      case "==":
      case "!=":
        return this.#equality(node, node.args[1], scope);
      default:
        return this.#operator(node, this.compile(node.args[0], scope), node.args[1], scope);
    }
  }

  /** `right` is the right operand, or what remains of it after the relation inside it is moved out. */
  #equality(node: Extract<CelNode, { op: "==" | "!=" }>, right: CelNode, scope: Scope): Compiled {
    const relation = bareRelation(() => this.#parenthesesOf(), node.args[0], right);
    if (relation === undefined) {
      return this.#operator(node, this.compile(node.args[0], scope), right, scope);
    }
    return this.#operator(relation, this.#equality(node, relation.args[0], scope), relation.args[1], scope);
  }

  #parenthesesOf(): Parentheses {
    this.#parentheses ??= new Parentheses(this.#text);
    return this.#parentheses;
  }

  #operator(node: CelNode, left: Compiled, right: CelNode, scope: Scope): Compiled {
    const compiled = [left, this.compile(right, scope)];
    const call = compileCall(this, node, operators[node.op] ?? node.op, false, compiled);
    return node.op === "in" && this.environment.ignoresErrorsInMembership && isListOfLiterals(right)
      ? falseIfFailing(call)
      : call;
  }

  #literal(node: CelNode, value: Literal): Compiled {
    if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) {
      throw this.error(node, "invalid int literal");
    }
    return literal(value);
  }

  #checkOptionals(node: CelNode): void {
    if (!this.environment.hasOptionals) throw this.error(node, "unsupported syntax '?'");
  }

  optionalEntries({ pos }: CelNode): ReadonlyMap<number, number> {
    const entries = this.#optionals.get(pos) ?? new Map<number, number>();
    const [first] = entries.values();
    if (first !== undefined && !this.environment.hasOptionals) {
      throw this.errorAt(first, "unsupported syntax '?'");
    }
    return entries;
  }

  error(node: CelNode, problem: string): CelCompileError {
    return this.errorAt(placeOf(node, this.#text), problem);
  }

  errorAt(place: number, problem: string): CelCompileError {
    return new CelCompileError(this.#problem(place, problem));
  }

  #problem(place: number, problem: string): CelProblem {
    return problemAt(this.#written, this.#originalOffset(place), problem);
  }

  report(node: CelNode, problem: string): void {
    if (this.#problems.length < problemsMax)
      this.#problems.push(this.#problem(placeOf(node, this.#text), problem));
  }

  advise(node: CelNode, problem: string): void {
    if (this.#advice.length < problemsMax)
      this.#advice.push(this.#problem(placeOf(node, this.#text), problem));
  }

  #identifier(node: CelNode, name: string, scope: Scope): Compiled {
    const variable = scope.get(name);
    if (variable === undefined) {
      if (this.#isTypeName(name)) return named(name);
      throw this.error(node, `undeclared reference to '${name}' (in container '')`);
    }
    const { type, slot, path } = variable;
    const isOfProgram = slot < this.#variableCount;
    if (isOfProgram) this.reads.add(name);
    return {
      type,
      cost: 1,
      path: path ?? (isOfProgram ? [name] : undefined),
      run: ({ slots, budget }) => {
        budget.spend(1);
        return slots[slot] ?? null;
      },
    };
  }

  /** With `mayLack`, `run` returns an optional value. */
  #select(node: CelNode, of: CelNode, field: string, scope: Scope, mayLack = false): Compiled {
    const name = qualifiedName(node);
    if (name !== undefined && this.#isTypeName(name) && !scope.has(name.split(".")[0] ?? "")) {
      return named(name);
    }
    // A name with a dot may be that of one variable.
    if (name !== undefined && scope.has(name)) return this.#identifier(node, name, scope);
    return compileField(this, node, this.compile(of, scope), field, mayLack);
  }

  #isTypeName(name: string): boolean {
    if (name === "optional_type" && !this.environment.hasOptionals) return false;
    const maker = typesOfFunctions.get(name);
    return typeNames.has(name) || (maker !== undefined && this.environment.hasFunction(maker));
  }

  #optional(inner: Compiled): Compiled {
    return { ...inner, type: optionalOf(inner.type) };
  }

  fieldName(type: CelType, field: string): string {
    return type.kind === "object" && this.environment.hasKeywordFields ? declaredName(type, field) : field;
  }

  fieldType(node: CelNode, type: CelType, field: string): CelType {
    switch (type.kind) {
      case "object": {
        const declared = type.fields.get(this.fieldName(type, field));
        if (declared !== undefined) return declared.type;
        if (type.isOpen === true) return scalarTypes.dyn;
        throw this.error(node, `undefined field '${field}'`);
      }
      case "map":
        return type.value;
      case "dyn":
        return scalarTypes.dyn;
      default:
        throw this.error(node, `type '${typeTextInError(type)}' does not support field selection`);
    }
  }

  asAdvice(check: () => void): void {
    if (this.#advice.length >= problemsMax) return;
    try {
      check();
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      this.#advice.push(...error.problems);
    }
  }

  noOverload(node: CelNode, name: string, types: readonly CelType[], isMethod = false): CelCompileError {
    const texts = types.map((type) => typeTextInError(type));
    const applied = isMethod ? `${texts[0]}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
    return this.error(node, `found no matching overload for '${name}' applied to '${applied}'`);
  }
}

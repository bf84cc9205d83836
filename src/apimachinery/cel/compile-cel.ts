import { type CelEnvironment, celEnvironment, defaultRules } from "./cel-environment.js";
import { type CelBudget, CelCompileError, CelRuntimeError } from "./cel-error.js";
import { type CelType, isAssignable, optionalOf, scalarTypes, typeText } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import { checkPattern, checkTime, patternFunctions } from "./check-literals.js";
import { compileCall } from "./compile-call.js";
import {
  compileList,
  compileMap,
  compileObjectLiteral,
  literal,
  literalOf,
  named,
} from "./compile-literals.js";
import { compileBinding, compileComprehension, compileHas, compileSortBy, macros } from "./compile-macros.js";
import { compileOptionalCall, optionalMacros } from "./compile-optionals.js";
import type { CompileContext, Compiled, Run, Scope } from "./compiled.js";
import { attempt } from "./comprehensions.js";
import { estimatedSize, saturated, union } from "./estimated-cost.js";
import { operators, placeOf, qualifiedName } from "./node-places.js";
import { type RewrittenLiterals, rewriteLiterals } from "./object-literals.js";
import { type CelNode, parseCel } from "./parse-cel.js";
import { compileTwoVariableComprehension, twoVariableMacros } from "./two-variable-macros.js";
import { elementAt, elementOf, memberOf, within } from "./value-parts.js";

export class CelProgram {
  readonly type: CelType;
  /** The estimated cost: see `estimated-cost.ts`. */
  readonly cost: number;
  /** The variables that the expression reads. */
  readonly reads: ReadonlySet<string>;
  readonly #names: readonly string[];
  readonly #run: Run;

  constructor({ type, cost, run }: Compiled, names: readonly string[], reads: ReadonlySet<string>) {
    this.type = type;
    this.cost = cost;
    this.reads = reads;
    this.#names = names;
    this.#run = run;
  }

  /** Throws `CelRuntimeError`, and `CelBudgetError` when the budget is spent. */
  evaluate(variables: Readonly<Record<string, CelValue>>, budget: CelBudget): CelValue {
    return this.#run({ slots: this.#names.map((name) => variables[name] ?? null), budget });
  }

  /** The same with variables whose values are made for the expressions that read them. */
  evaluateWith(variable: (name: string) => CelValue, budget: CelBudget): CelValue {
    const slots = this.#names.map((name) => (this.reads.has(name) ? variable(name) : null));
    return this.#run({ slots, budget });
  }
}

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
  const source = environment.hasObjectLiterals ? rewriteLiterals(text) : asWritten(text);
  const compiler = new Compiler(source, { root, variableCount: names.length, environment });
  const scope: Scope = new Map(
    names.map((name, slot) => [name, { type: variables[name] ?? scalarTypes.dyn, slot }]),
  );
  return new CelProgram(compiler.compile(compiler.parse(text), scope), names, compiler.reads);
}

function asWritten(text: string): RewrittenLiterals {
  return { text, optionals: new Set(), originalOffset: (offset) => offset };
}

const typeNames: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
]);

interface CompilerParts {
  readonly root: CelType;
  readonly variableCount: number;
  readonly environment: CelEnvironment;
}

class Compiler implements CompileContext {
  readonly #text: string;
  readonly #optionals: ReadonlySet<number>;
  readonly #originalOffset: (offset: number) => number;
  #written = "";
  readonly root: CelType;
  readonly #variableCount: number;
  readonly environment: CelEnvironment;
  readonly reads = new Set<string>();

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

  /** `written` is the text before literals were rewritten, which errors show. */
  parse(written: string): CelNode {
    this.#written = written;
    return parseCel(this.#text);
  }

  compile(node: CelNode, scope: Scope): Compiled {
    switch (node.op) {
      case "value":
        return literal(node.args);
      case "id":
        return this.#identifier(node, node.args, scope);
      case ".":
        return this.#select(node, node.args[0], node.args[1], scope);
      case "[]":
        return this.#index(node, node.args[0], node.args[1], scope);
      case "call":
        return this.#call(node, node.args[0], undefined, node.args[1], scope);
      case "rcall":
        return this.#call(node, node.args[0], node.args[1], node.args[2], scope);
      case "list":
        return compileList(this, node.args, scope);
      case "map":
        return compileMap(this, node.args, scope);
      case "?:":
        return this.#conditional(node, node.args, scope);
      case "||":
      case "&&":
        return this.#logical(node.op === "||", node.args, scope);
      case "!_":
      case "-_":
        if (node.op === "-_" && node.args.op === "value") {
          const { args: value } = node.args;
          if (typeof value === "bigint" || typeof value === "number") return literal(-value);
        }
        return compileCall(this, node, operators[node.op] ?? "", false, [this.compile(node.args, scope)]);
      case ".?":
        this.#checkOptionals(node);
        return this.#optional(this.#select(node, node.args[0], node.args[1], scope, true));
      case "[?]":
        this.#checkOptionals(node);
        return this.#optional(this.#index(node, node.args[0], node.args[1], scope, true));
      default:
        return compileCall(this, node, operators[node.op] ?? node.op, false, [
          this.compile(node.args[0], scope),
          this.compile(node.args[1], scope),
        ]);
    }
  }

  #checkOptionals(node: CelNode): void {
    if (!this.environment.hasOptionals) throw this.error(node, "unsupported syntax '?'");
  }

  error(node: CelNode, problem: string): CelCompileError {
    return new CelCompileError(this.#written, this.#originalOffset(placeOf(node, this.#text)), problem);
  }

  #identifier(node: CelNode, name: string, scope: Scope): Compiled {
    const variable = scope.get(name);
    if (variable === undefined) {
      if (typeNames.has(name)) return named(name);
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
    if (name !== undefined && typeNames.has(name) && !scope.has(name.split(".")[0] ?? "")) {
      return named(name);
    }
    // A name with a dot may be that of one variable.
    if (name !== undefined && scope.has(name)) return this.#identifier(node, name, scope);
    const operand = this.compile(of, scope);
    const inner = operand.type.kind === "optional" ? operand.type.element : operand.type;
    const isOptional = operand.type.kind === "optional" || mayLack;
    const type = this.fieldType(node, inner, field);
    return {
      type: operand.type.kind === "optional" && !mayLack ? optionalOf(type) : type,
      cost: saturated(operand.cost + (inner.kind === "dyn" && !mayLack ? 0 : 1)),
      path: [...(operand.path ?? []), field],
      run: (frame) => {
        const value = operand.run(frame);
        frame.budget.spend(1);
        if (isOptional) return within(value, (found) => memberOf(found, field));
        const found = memberOf(value, field);
        if (found === undefined) throw new CelRuntimeError(`no such key: ${field}`);
        return found;
      },
    };
  }

  #optional(inner: Compiled): Compiled {
    return { ...inner, type: optionalOf(inner.type) };
  }

  /** Throws with the position of `node`. */
  fieldType(node: CelNode, type: CelType, field: string): CelType {
    switch (type.kind) {
      case "object": {
        const declared = type.fields.get(field);
        if (declared === undefined) throw this.error(node, `undefined field '${field}'`);
        return declared.type;
      }
      case "map":
        return type.value;
      case "dyn":
        return scalarTypes.dyn;
      default:
        throw this.error(node, `type '${typeText(type)}' does not support field selection`);
    }
  }

  /** With `mayLack`, `run` returns an optional value. */
  #index(node: CelNode, of: CelNode, at: CelNode, scope: Scope, mayLack = false): Compiled {
    const operand = this.compile(of, scope);
    const index = this.compile(at, scope);
    const type = operand.type.kind === "optional" ? operand.type.element : operand.type;
    const isOptional = operand.type.kind === "optional" || mayLack;
    let result: CelType = scalarTypes.dyn;
    if (type.kind === "list" && isAssignable(scalarTypes.int, index.type)) result = type.element;
    else if (type.kind === "map" && isAssignable(type.key, index.type)) result = type.value;
    else if (type.kind !== "dyn") throw this.noOverload(node, "_[_]", [type, index.type]);
    return {
      type: operand.type.kind === "optional" && !mayLack ? optionalOf(result) : result,
      cost: saturated(operand.cost + index.cost + 1),
      path: [...(operand.path ?? []), type.kind === "list" ? "@items" : "@values"],
      run: (frame) => {
        const value = operand.run(frame);
        const place = index.run(frame);
        frame.budget.spend(1);
        if (isOptional) return within(value, (found) => elementAt(found, place));
        return elementOf(value, place);
      },
    };
  }

  #call(
    node: CelNode,
    name: string,
    receiver: CelNode | undefined,
    args: readonly CelNode[],
    scope: Scope,
  ): Compiled {
    const literal = this.environment.hasObjectLiterals
      ? literalOf(name, receiver, args, this.#optionals)
      : undefined;
    if (literal !== undefined) return compileObjectLiteral(this, literal.type, literal.members, scope);
    if (name === "has" && receiver === undefined && args.length === 1)
      return compileHas(this, node, args[0], scope);
    if (receiver !== undefined && macros.has(`${name}/${args.length}`)) {
      return compileComprehension(this, node, name, receiver, args, scope);
    }
    if (receiver !== undefined && this.environment.hasTwoVariableMacros) {
      if (twoVariableMacros.has(`${name}/${args.length}`)) {
        return compileTwoVariableComprehension(this, node, name, receiver, args, scope);
      }
      if (name === "existsOne" && args.length === 2) {
        return compileComprehension(this, node, "exists_one", receiver, args, scope);
      }
    }
    if (
      receiver !== undefined &&
      name === "sortBy" &&
      args.length === 2 &&
      this.environment.hasFunction("sort")
    ) {
      return compileSortBy(this, node, receiver, args, scope);
    }
    if (receiver !== undefined) {
      const namespace = qualifiedName(receiver);
      if (namespace === "cel" && name === "bind" && args.length === 3 && this.environment.hasBindings) {
        return compileBinding(this, args, scope);
      }
      const [first = ""] = namespace?.split(".") ?? [];
      if (
        namespace !== undefined &&
        !scope.has(first) &&
        this.environment.hasFunction(`${namespace}.${name}`)
      ) {
        const qualified = args.map((arg) => this.compile(arg, scope));
        return compileCall(this, node, `${namespace}.${name}`, false, qualified);
      }
      if (this.environment.hasOptionals && optionalMacros.has(`${name}/${args.length}`)) {
        const made = compileOptionalCall(this, node, name, receiver, args, scope);
        if (made !== undefined) return made;
      }
    }
    const all = receiver === undefined ? args : [receiver, ...args];
    const compiled = all.map((arg) => this.compile(arg, scope));
    const pattern = args.at(receiver === undefined ? 1 : 0);
    if (patternFunctions.includes(name) && pattern?.op === "value" && typeof pattern.args === "string") {
      checkPattern(this, pattern, pattern.args, name);
    }
    const [text] = args;
    if (receiver === undefined && this.environment.checksLiterals && text?.op === "value") {
      checkTime(this, text, name, text.args);
    }
    return compileCall(this, node, name, receiver !== undefined, compiled);
  }

  noOverload(node: CelNode, name: string, types: readonly CelType[], isMethod = false): CelCompileError {
    const texts = types.map((type) => (type.kind === "null" ? "null" : typeText(type)));
    const applied = isMethod ? `${texts[0]}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
    return this.error(node, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  #conditional(node: CelNode, [test, yes, no]: readonly [CelNode, CelNode, CelNode], scope: Scope): Compiled {
    const [condition, left, right] = [test, yes, no].map((one) => this.compile(one, scope)) as [
      Compiled,
      Compiled,
      Compiled,
    ]; // three of three
    if (!isAssignable(scalarTypes.bool, condition.type) || !isAssignable(left.type, right.type)) {
      throw this.noOverload(node, "_?_:_", [condition.type, left.type, right.type]);
    }
    return {
      type: left.type.kind === "null" || isUnknownList(left.type) ? right.type : left.type,
      cost: saturated(condition.cost + Math.max(left.cost, right.cost)),
      size: union(estimatedSize(left, this.root), estimatedSize(right, this.root)),
      run: (frame) => {
        const met = condition.run(frame);
        if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
        return (met ? left : right).run(frame);
      },
    };
  }

  /** An error on one side does not matter when the other side decides. */
  #logical(decides: boolean, [a, b]: readonly [CelNode, CelNode], scope: Scope): Compiled {
    const [left, right] = [this.compile(a, scope), this.compile(b, scope)];
    for (const [side, { type }] of [
      [a, left],
      [b, right],
    ] as const) {
      if (!isAssignable(scalarTypes.bool, type)) {
        throw this.error(side, `expected type 'bool' but found '${typeText(type)}'`);
      }
    }
    return {
      type: scalarTypes.bool,
      cost: saturated(left.cost + right.cost),
      run: (frame) => {
        const first = attempt(left.run, frame);
        if (first === decides) return decides;
        const second = attempt(right.run, frame);
        if (second === decides) return decides;
        if (first instanceof CelRuntimeError) throw first;
        if (second instanceof CelRuntimeError) throw second;
        if (typeof first !== "boolean" || typeof second !== "boolean")
          throw new CelRuntimeError("no such overload");
        return !decides;
      },
    };
  }
}

/** The type of `[]`. */
function isUnknownList(type: CelType): boolean {
  return type.kind === "list" && type.element.kind === "dyn";
}

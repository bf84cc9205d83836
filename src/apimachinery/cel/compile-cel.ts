import { messageOf } from "../errors/message-of.js";
import { CelPending } from "./cel-access-functions.js";
import { type CelEnvironment, celEnvironment, oldestRules } from "./cel-environment.js";
import { type CelBudget, CelBudgetError, CelCompileError, CelRuntimeError } from "./cel-error.js";
import type { CelFunction } from "./cel-function.js";
import { compareValues, keyOf, sizeOfValue } from "./cel-functions.js";
import { compiledPattern } from "./cel-pattern.js";
import {
  type Bindings,
  type CelType,
  isAssignable,
  listOf,
  optionalOf,
  scalarTypes,
  typeText,
  withBindings,
} from "./cel-type.js";
import {
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTypeValue,
  CelUint,
  type CelValue,
  durationOf,
  timestampOf,
  typeOfValue,
} from "./cel-value.js";
import {
  type CallEstimate,
  type Estimate,
  estimatedSize,
  macroCosts,
  type Size,
  saturated,
  sizedArgument,
  union,
} from "./estimated-cost.js";
import { type RewrittenLiterals, rewriteLiterals } from "./object-literals.js";
import { type CelNode, parseCel } from "./parse-cel.js";

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
  environment: CelEnvironment = celEnvironment(oldestRules),
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
  return { text, originalOffset: (offset) => offset };
}

interface Frame {
  readonly slots: CelValue[];
  readonly budget: CelBudget;
}

type Run = (frame: Frame) => CelValue;

interface Compiled extends Estimate {
  readonly run: Run;
}

interface Variable {
  readonly type: CelType;
  readonly slot: number;
  readonly path?: readonly string[] | undefined;
}

type Scope = ReadonlyMap<string, Variable>;

const operators: Readonly<Record<string, string>> = {
  "==": "_==_",
  "!=": "_!=_",
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  "+": "_+_",
  "-": "_-_",
  "*": "_*_",
  "/": "_/_",
  "%": "_%_",
  in: "@in",
  "!_": "!_",
  "-_": "-_",
};

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

const macros: ReadonlyMap<string, number> = new Map([
  ["all/2", 2],
  ["exists/2", 2],
  ["exists_one/2", 2],
  ["filter/2", 2],
  ["map/2", 2],
  ["map/3", 3],
]);

const twoVariableMacros: ReadonlyMap<string, number> = new Map([
  ["all/3", 3],
  ["exists/3", 3],
  ["existsOne/3", 3],
  ["transformList/3", 3],
  ["transformList/4", 4],
  ["transformMap/3", 3],
  ["transformMap/4", 4],
  ["transformMapEntry/3", 3],
  ["transformMapEntry/4", 4],
]);

const optionalMacros: ReadonlySet<string> = new Set(["or/1", "orValue/1", "optMap/2", "optFlatMap/2"]);

const patternFunctions = ["matches", "find", "findAll"];

const listCost = 10;
const mapCost = 30;

interface CompilerParts {
  readonly root: CelType;
  readonly variableCount: number;
  readonly environment: CelEnvironment;
}

class Compiler {
  readonly #text: string;
  readonly #originalOffset: (offset: number) => number;
  #written = "";
  readonly #root: CelType;
  readonly #variableCount: number;
  readonly #environment: CelEnvironment;
  readonly reads = new Set<string>();

  /** The literals are those of `text`. */
  constructor(
    { text, originalOffset }: RewrittenLiterals,
    { root, variableCount, environment }: CompilerParts,
  ) {
    this.#text = text;
    this.#originalOffset = originalOffset;
    this.#root = root;
    this.#variableCount = variableCount;
    this.#environment = environment;
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
        return this.#list(node.args, scope);
      case "map":
        return this.#map(node.args, scope);
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
        return this.#apply(node, operators[node.op] ?? "", false, [this.compile(node.args, scope)]);
      case ".?":
        this.#checkOptionals(node);
        return this.#optional(this.#select(node, node.args[0], node.args[1], scope, true));
      case "[?]":
        this.#checkOptionals(node);
        return this.#optional(this.#index(node, node.args[0], node.args[1], scope, true));
      default:
        return this.#apply(node, operators[node.op] ?? node.op, false, [
          this.compile(node.args[0], scope),
          this.compile(node.args[1], scope),
        ]);
    }
  }

  #checkOptionals(node: CelNode): void {
    if (!this.#environment.hasOptionals) throw this.#error(node, "unsupported syntax '?'");
  }

  #error(node: CelNode, problem: string): CelCompileError {
    return new CelCompileError(this.#written, this.#originalOffset(this.#placeOf(node)), problem);
  }

  /** The position of the operator, or of the bracket of a call, as other implementations report it. */
  #placeOf(node: CelNode): number {
    switch (node.op) {
      case ".":
        return Math.max(0, this.#text.lastIndexOf(".", node.pos));
      case "call":
        return this.#next("(", node.pos, node);
      case "rcall":
        return this.#next("(", node.args[1].end, node);
      case "[]":
        return this.#next("[", node.args[0].end, node);
      case "?:":
        return this.#next("?", node.args[0].end, node);
    }
    const left = node.op in operators || node.op === "||" || node.op === "&&" ? node.args : undefined;
    if (!Array.isArray(left) || left.length !== 2) return node.pos;
    const [first] = left as readonly CelNode[]; // of a binary operator
    return first === undefined ? node.pos : this.#next(node.op, first.end, node);
  }

  #next(sign: string, from: number, { pos }: CelNode): number {
    const found = this.#text.indexOf(sign, from);
    return found < 0 ? pos : found;
  }

  #identifier(node: CelNode, name: string, scope: Scope): Compiled {
    const variable = scope.get(name);
    if (variable === undefined) {
      if (typeNames.has(name)) return named(name);
      throw this.#error(node, `undeclared reference to '${name}' (in container '')`);
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
    const type = this.#fieldType(node, inner, field);
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
  #fieldType(node: CelNode, type: CelType, field: string): CelType {
    switch (type.kind) {
      case "object": {
        const declared = type.fields.get(field);
        if (declared === undefined) throw this.#error(node, `undefined field '${field}'`);
        return declared.type;
      }
      case "map":
        return type.value;
      case "dyn":
        return scalarTypes.dyn;
      default:
        throw this.#error(node, `type '${typeText(type)}' does not support field selection`);
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
    else if (type.kind !== "dyn") throw this.#noOverload(node, "_[_]", [type, index.type]);
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
    const literal = this.#environment.hasObjectLiterals ? literalOf(name, receiver, args) : undefined;
    if (literal !== undefined) return this.#objectLiteral(literal.type, literal.members, scope);
    if (name === "has" && receiver === undefined && args.length === 1) return this.#has(node, args[0], scope);
    if (receiver !== undefined && macros.has(`${name}/${args.length}`)) {
      return this.#comprehension(node, name, receiver, args, scope);
    }
    if (receiver !== undefined && this.#environment.hasTwoVariableMacros) {
      if (twoVariableMacros.has(`${name}/${args.length}`)) {
        return this.#twoVariableComprehension(node, name, receiver, args, scope);
      }
      if (name === "existsOne" && args.length === 2) {
        return this.#comprehension(node, "exists_one", receiver, args, scope);
      }
    }
    if (
      receiver !== undefined &&
      name === "sortBy" &&
      args.length === 2 &&
      this.#environment.hasFunction("sort")
    ) {
      return this.#sortBy(node, receiver, args, scope);
    }
    if (receiver !== undefined) {
      const namespace = qualifiedName(receiver);
      if (namespace === "cel" && name === "bind" && args.length === 3 && this.#environment.hasBindings) {
        return this.#bind(args, scope);
      }
      const [first = ""] = namespace?.split(".") ?? [];
      if (
        namespace !== undefined &&
        !scope.has(first) &&
        this.#environment.hasFunction(`${namespace}.${name}`)
      ) {
        const qualified = args.map((arg) => this.compile(arg, scope));
        return this.#apply(node, `${namespace}.${name}`, false, qualified);
      }
      if (this.#environment.hasOptionals && optionalMacros.has(`${name}/${args.length}`)) {
        const made = this.#optionalCall(node, name, receiver, args, scope);
        if (made !== undefined) return made;
      }
    }
    const all = receiver === undefined ? args : [receiver, ...args];
    const compiled = all.map((arg) => this.compile(arg, scope));
    const pattern = args.at(receiver === undefined ? 1 : 0);
    if (patternFunctions.includes(name) && pattern?.op === "value" && typeof pattern.args === "string") {
      this.#checkPattern(pattern, pattern.args, name);
    }
    const [text] = args;
    if (receiver === undefined && this.#environment.checksLiterals && text?.op === "value") {
      this.#checkTime(text, name, text.args);
    }
    return this.#apply(node, name, receiver !== undefined, compiled);
  }

  /** An object of a type that takes its fields as they come. */
  #objectLiteral(typeName: string, members: readonly (readonly [string, CelNode])[], scope: Scope): Compiled {
    const fields = members.map(([name, node]) => ({ name, ...this.compile(node, scope) }));
    return {
      type: { kind: "object", name: typeName, fields: new Map() },
      cost: saturated(total(fields) + mapCost),
      size: exactly(fields.length),
      run: (frame) => {
        frame.budget.spend(mapCost + fields.length);
        return CelMap.of(new Map(fields.map(({ name, run }) => [name, run(frame)])));
      },
    };
  }

  #checkTime(node: CelNode, name: string, value: unknown): void {
    const read = name === "duration" ? durationOf : name === "timestamp" ? timestampOf : undefined;
    if (read === undefined || typeof value !== "string") return;
    try {
      read(value);
    } catch {
      throw this.#error(node, `invalid ${name} argument`);
    }
  }

  /** Calls of optional values that evaluate their argument only where it is needed; undefined for other receivers. */
  #optionalCall(
    node: CelNode,
    name: string,
    of: CelNode,
    args: readonly CelNode[],
    scope: Scope,
  ): Compiled | undefined {
    const receiver = this.compile(of, scope);
    const { type } = receiver;
    if (type.kind !== "optional" && type.kind !== "dyn") return undefined;
    const element = type.kind === "optional" ? type.element : scalarTypes.dyn;
    if (name === "or" || name === "orValue") {
      const [arg] = args;
      if (arg === undefined) return undefined;
      const other = this.compile(arg, scope);
      const wanted = name === "or" ? optionalOf(element) : element;
      if (!isAssignable(wanted, other.type)) throw this.#noOverload(node, name, [type, other.type], true);
      return {
        type: element.kind === "dyn" ? other.type : wanted,
        cost: saturated(receiver.cost + other.cost + 1),
        size: union(estimatedSize(receiver, this.#root), estimatedSize(other, this.#root)),
        run: (frame) => {
          const value = optionalValue(receiver.run(frame));
          frame.budget.spend(1);
          if (value.value === undefined) return other.run(frame);
          return name === "or" ? value : value.value;
        },
      };
    }
    const [variable, bodyNode] = args;
    if (variable?.op !== "id") throw this.#error(node, `${name}() variable name must be a simple identifier`);
    if (bodyNode === undefined) return undefined;
    const slot = nextSlot(scope);
    const inside = { type: element, slot, path: receiver.path };
    const body = this.compile(bodyNode, new Map([...scope, [variable.args, inside]]));
    const isFlat = name === "optFlatMap";
    if (isFlat && body.type.kind !== "optional" && body.type.kind !== "dyn") {
      throw this.#noOverload(node, name, [type, body.type], true);
    }
    return {
      type: isFlat ? body.type : optionalOf(body.type),
      cost: saturated(receiver.cost + body.cost + 2),
      size: body.size,
      run: (frame) => {
        const { value } = optionalValue(receiver.run(frame));
        frame.budget.spend(2);
        if (value === undefined) return new CelOptional();
        const outer = frame.slots[slot];
        try {
          frame.slots[slot] = value;
          const made = body.run(frame);
          return isFlat ? optionalValue(made) : new CelOptional(made);
        } finally {
          if (outer !== undefined) frame.slots[slot] = outer;
        }
      },
    };
  }

  #checkPattern(node: CelNode, text: string, name: string): void {
    try {
      compiledPattern(text);
    } catch (error) {
      if (name === "matches") throw this.#error(node, "invalid matches argument");
      throw this.#error(node, messageOf(error));
    }
  }

  #apply(node: CelNode, name: string, isMethod: boolean, args: readonly Compiled[]): Compiled {
    const known = this.#environment
      .functions(isMethod ? `.${name}` : name)
      .filter((overload) => overload.args.length === args.length);
    const fitting: { readonly overload: CelFunction; readonly result: CelType }[] = [];
    for (const overload of known) {
      const bindings: Bindings = new Map();
      if (
        overload.args.every((wanted, at) => isAssignable(wanted, args[at]?.type ?? scalarTypes.dyn, bindings))
      ) {
        fitting.push({ overload, result: withBindings(overload.result, bindings) });
      }
    }
    const [first, ...others] = fitting;
    if (first === undefined) {
      if (known.length === 0 && !this.#environment.hasFunction(name)) {
        throw this.#error(node, `undeclared reference to '${name}' (in container '')`);
      }
      throw this.#noOverload(
        node,
        name,
        args.map(({ type }) => type),
        isMethod,
      );
    }
    const isSame = others.every(({ result }) => typeText(result) === typeText(first.result));
    const result = isSame ? first.result : scalarTypes.dyn;
    const runs = args.map(({ run }) => run);
    const isExact = others.length === 0 && args.every(({ type }) => !hasDynamicPart(type));
    const overloads = fitting.map(({ overload }) => overload);
    return {
      type: result,
      ...this.#estimate(overloads, args),
      run: (frame) => {
        const values = runs.map((run) => run(frame));
        const overload = isExact ? first.overload : overloads.find((one) => fits(one, values));
        if (overload === undefined) throw new CelRuntimeError("no such overload");
        frame.budget.spend(overload.cost(values.map(sizeOfValue)));
        return guarded(overload, values, frame.budget);
      },
    };
  }

  #estimate(overloads: readonly CelFunction[], args: readonly Compiled[]): CallEstimate {
    const sized = args.map((arg) => sizedArgument(arg, this.#root));
    let cost = 0;
    let size: Size | undefined;
    for (const overload of overloads) {
      const estimate = overload.estimate(sized);
      cost = Math.max(cost, estimate.cost);
      size = union(size, estimate.size);
    }
    return { cost: saturated(total(args) + cost), size };
  }

  #noOverload(node: CelNode, name: string, types: readonly CelType[], isMethod = false): CelCompileError {
    const texts = types.map((type) => (type.kind === "null" ? "null" : typeText(type)));
    const applied = isMethod ? `${texts[0]}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
    return this.#error(node, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  #has(node: CelNode, arg: CelNode | undefined, scope: Scope): Compiled {
    if (arg?.op !== ".") throw this.#error(node, "invalid argument to has() macro");
    const [of, field] = arg.args;
    const operand = this.compile(of, scope);
    const isOptional = operand.type.kind === "optional";
    this.#fieldType(node, operand.type.kind === "optional" ? operand.type.element : operand.type, field);
    return {
      type: scalarTypes.bool,
      cost: operand.cost,
      run: (frame) => {
        const value = operand.run(frame);
        frame.budget.spend(1);
        if (isOptional) return within(value, (found) => memberOf(found, field)).value !== undefined;
        return memberOf(value, field) !== undefined;
      },
    };
  }

  #comprehension(
    node: CelNode,
    name: string,
    over: CelNode,
    args: readonly CelNode[],
    scope: Scope,
  ): Compiled {
    const range = this.compile(over, scope);
    const [variable, ...bodies] = args;
    if (variable?.op !== "id") throw this.#error(node, "argument must be a simple name");
    const element = this.#elementType(over, range.type);
    const slot = nextSlot(scope);
    const inside = { type: element, slot, path: elementPath(range) };
    // Only variables of the expression itself count as read, not those of macros.
    const inner: Scope = new Map([...scope, [variable.args, inside]]);
    const compiled = bodies.map((body) => this.compile(body, inner));
    const [body, transform] = compiled;
    if (body === undefined) throw this.#error(node, "argument must be an expression");
    const isTest = name !== "map" || transform !== undefined;
    if (isTest && !isAssignable(scalarTypes.bool, body.type)) {
      throw this.#error(bodies[0] ?? node, `expected type 'bool' but found '${typeText(body.type)}'`);
    }
    const makesList = name === "map" || name === "filter";
    const made = name === "filter" ? element : (transform ?? body).type;
    const size = estimatedSize(range, this.#root);
    const { each, once } = macroCosts[name] ?? { each: 0, once: 0 };
    return {
      type: makesList ? listOf(made) : scalarTypes.bool,
      cost: saturated(range.cost + once + size.max * (total(compiled) + each)),
      size,
      run: (frame) => {
        const values = elementsOf(range.run(frame));
        const outer = frame.slots[slot];
        try {
          return (
            comprehensions[name]?.(values, { frame, at: slot, body: body.run, transform: transform?.run }) ??
            null
          );
        } finally {
          if (outer !== undefined) frame.slots[slot] = outer;
        }
      },
    };
  }

  /** Macros with a variable for the index or the key, and one for the value. */
  #twoVariableComprehension(
    node: CelNode,
    name: string,
    over: CelNode,
    args: readonly CelNode[],
    scope: Scope,
  ): Compiled {
    const range = this.compile(over, scope);
    const [keyNode, valueNode, ...bodies] = args;
    if (keyNode?.op !== "id" || valueNode?.op !== "id")
      throw this.#error(node, "argument must be a simple name");
    if (keyNode.args === valueNode.args) {
      throw this.#error(valueNode, `duplicate variable name: ${keyNode.args}`);
    }
    this.#elementType(over, range.type);
    const { type, path = [] } = range;
    const isList = type.kind === "list";
    const keyType = isList ? scalarTypes.int : type.kind === "map" ? type.key : scalarTypes.dyn;
    const valueType = isList ? type.element : type.kind === "map" ? type.value : scalarTypes.dyn;
    const slot = nextSlot(scope);
    const inner: Scope = new Map([
      ...scope,
      [keyNode.args, { type: keyType, slot, path: undefined }],
      [valueNode.args, { type: valueType, slot: slot + 1, path: [...path, isList ? "@items" : "@values"] }],
    ]);
    const compiled = bodies.map((body) => this.compile(body, inner));
    const made = compiled.at(-1);
    if (made === undefined) throw this.#error(node, "argument must be an expression");
    const isQuantifier = !name.startsWith("transform");
    const test = isQuantifier || compiled.length > 1 ? compiled[0] : undefined;
    if (test !== undefined && !isAssignable(scalarTypes.bool, test.type)) {
      throw this.#error(bodies[0] ?? node, `expected type 'bool' but found '${typeText(test.type)}'`);
    }
    const size = estimatedSize(range, this.#root);
    const result = isQuantifier
      ? scalarTypes.bool
      : name === "transformList"
        ? listOf(made.type)
        : name === "transformMap"
          ? ({ kind: "map", key: keyType, value: made.type } as const)
          : made.type;
    return {
      type: result,
      cost: saturated(range.cost + 11 + size.max * (total(compiled) + 13)),
      size,
      run: (frame) => {
        const entries = entriesOf(range.run(frame));
        const outer = [frame.slots[slot], frame.slots[slot + 1]];
        const each = (body: Run, key: CelValue, value: CelValue): CelValue => {
          frame.slots[slot] = key;
          frame.slots[slot + 1] = value;
          frame.budget.spend(2);
          return body(frame);
        };
        try {
          if (isQuantifier) {
            return quantifiedEntries(name, entries, (key, value) =>
              attempt(() => each(made.run, key, value), frame),
            );
          }
          return transformed(name, entries, {
            isKept: (key, value) => test === undefined || each(test.run, key, value) === true,
            make: (key, value) => each(made.run, key, value),
          });
        } finally {
          for (const [at, value] of outer.entries()) if (value !== undefined) frame.slots[slot + at] = value;
        }
      },
    };
  }

  /** `cel.bind(name, value, expression)`. */
  #bind([variable, valueNode, bodyNode]: readonly CelNode[], scope: Scope): Compiled {
    if (variable === undefined || valueNode === undefined || bodyNode === undefined)
      throw new Error("a binding has three arguments");
    if (variable.op !== "id") {
      throw this.#error(variable, "cel.bind() variable names must be simple identifiers");
    }
    const value = this.compile(valueNode, scope);
    const slot = nextSlot(scope);
    const inside = { type: value.type, slot, path: value.path };
    const body = this.compile(bodyNode, new Map([...scope, [variable.args, inside]]));
    return {
      ...body,
      cost: saturated(value.cost + body.cost + listCost + 1),
      run: (frame) => {
        const outer = frame.slots[slot];
        try {
          frame.slots[slot] = value.run(frame);
          return body.run(frame);
        } finally {
          if (outer !== undefined) frame.slots[slot] = outer;
        }
      },
    };
  }

  #sortBy(node: CelNode, over: CelNode, args: readonly CelNode[], scope: Scope): Compiled {
    const range = this.compile(over, scope);
    const [variable, keyNode] = args;
    if (variable?.op !== "id" || keyNode === undefined)
      throw this.#error(node, "argument must be a simple name");
    const element = this.#elementType(over, range.type);
    const slot = nextSlot(scope);
    const inside = { type: element, slot, path: elementPath(range) };
    const key = this.compile(keyNode, new Map([...scope, [variable.args, inside]]));
    const size = estimatedSize(range, this.#root);
    return {
      type: listOf(element),
      cost: saturated(range.cost + size.max * (key.cost + 4)),
      size,
      run: (frame) => {
        const outer = frame.slots[slot];
        const keyed: { readonly value: CelValue; readonly key: CelValue }[] = [];
        for (const value of elementsOf(range.run(frame))) {
          frame.slots[slot] = value;
          frame.budget.spend(4);
          keyed.push({ value, key: key.run(frame) });
        }
        if (outer !== undefined) frame.slots[slot] = outer;
        frame.budget.spend(keyed.length * Math.ceil(Math.log2(keyed.length + 1)));
        return CelList.of(keyed.sort((a, b) => compareValues(a.key, b.key)).map(({ value }) => value));
      },
    };
  }

  #elementType(node: CelNode, type: CelType): CelType {
    if (type.kind === "list") return type.element;
    if (type.kind === "map") return type.key;
    if (type.kind === "dyn") return scalarTypes.dyn;
    throw this.#error(
      node,
      `expression of type '${typeText(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
  }

  #list(nodes: readonly CelNode[], scope: Scope): Compiled {
    const elements = nodes.map((node) => this.compile(node, scope));
    return {
      type: listOf(this.#joined(nodes, elements)),
      cost: saturated(total(elements) + listCost),
      size: exactly(elements.length),
      run: (frame) => {
        frame.budget.spend(listCost + elements.length);
        return CelList.of(elements.map(({ run }) => run(frame)));
      },
    };
  }

  #map(entries: readonly (readonly [CelNode, CelNode])[], scope: Scope): Compiled {
    const keys = entries.map(([key]) => this.compile(key, scope));
    const values = entries.map(([, value]) => this.compile(value, scope));
    const key = this.#joined(
      entries.map(([node]) => node),
      keys,
    );
    const value = this.#joined(
      entries.map(([, node]) => node),
      values,
    );
    return {
      type: { kind: "map", key, value },
      cost: saturated(total(keys) + total(values) + mapCost),
      size: exactly(entries.length),
      run: (frame) => {
        frame.budget.spend(mapCost + entries.length);
        const made = new Map<string | bigint | boolean, CelValue>();
        for (const [at, one] of keys.entries()) {
          made.set(keyOf(one.run(frame)), values[at]?.run(frame) ?? null);
        }
        return CelMap.of(made);
      },
    };
  }

  /** All elements of a literal have one type. */
  #joined(nodes: readonly CelNode[], elements: readonly Compiled[]): CelType {
    const [first] = elements;
    if (first === undefined) return scalarTypes.dyn;
    for (const [at, { type }] of elements.entries()) {
      const node = nodes[at];
      if (!isAssignable(first.type, type) && node !== undefined) {
        throw this.#error(node, `expected type '${typeText(first.type)}' but found '${typeText(type)}'`);
      }
    }
    return first.type;
  }

  #conditional(node: CelNode, [test, yes, no]: readonly [CelNode, CelNode, CelNode], scope: Scope): Compiled {
    const [condition, left, right] = [test, yes, no].map((one) => this.compile(one, scope)) as [
      Compiled,
      Compiled,
      Compiled,
    ]; // three of three
    if (!isAssignable(scalarTypes.bool, condition.type) || !isAssignable(left.type, right.type)) {
      throw this.#noOverload(node, "_?_:_", [condition.type, left.type, right.type]);
    }
    return {
      type: left.type.kind === "null" || isUnknownList(left.type) ? right.type : left.type,
      cost: saturated(condition.cost + Math.max(left.cost, right.cost)),
      size: union(estimatedSize(left, this.#root), estimatedSize(right, this.#root)),
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
        throw this.#error(side, `expected type 'bool' but found '${typeText(type)}'`);
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

interface Step {
  readonly frame: Frame;
  readonly at: number;
  readonly body: Run;
  readonly transform: Run | undefined;
}

const comprehensions: Readonly<Record<string, (values: Iterable<CelValue>, step: Step) => CelValue>> = {
  all: (values, step) => quantified(values, step, false),
  exists: (values, step) => quantified(values, step, true),
  exists_one(values, step) {
    let count = 0;
    for (const value of values) if (isMet(step, value)) count++;
    return count === 1;
  },
  filter(values, step) {
    const kept: CelValue[] = [];
    for (const value of values) if (isMet(step, value)) kept.push(value);
    return CelList.of(kept);
  },
  map(values, step) {
    const { frame, at, body, transform } = step;
    const made: CelValue[] = [];
    for (const value of values) {
      if (transform !== undefined && !isMet(step, value)) continue;
      frame.slots[at] = value;
      frame.budget.spend(2);
      made.push((transform ?? body)(frame));
    }
    return CelList.of(made);
  },
};

type EntryRun = (key: CelValue, value: CelValue) => CelValue;

function quantifiedEntries(
  name: string,
  entries: Iterable<readonly [CelValue, CelValue]>,
  test: (key: CelValue, value: CelValue) => CelValue | CelRuntimeError,
): boolean {
  let count = 0;
  let failure: CelRuntimeError | undefined;
  for (const [key, value] of entries) {
    const met = test(key, value);
    if (met instanceof CelRuntimeError) {
      if (name === "existsOne") throw met;
      failure ??= met;
      continue;
    }
    if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
    if (met) count++;
    if (met && name === "exists") return true;
    if (!met && name === "all") return false;
  }
  if (failure !== undefined) throw failure;
  return name === "all" || (name === "existsOne" && count === 1);
}

function transformed(
  name: string,
  entries: Iterable<readonly [CelValue, CelValue]>,
  { isKept, make }: { isKept(key: CelValue, value: CelValue): boolean; readonly make: EntryRun },
): CelValue {
  const list: CelValue[] = [];
  const map = new Map<string | bigint | boolean, CelValue>();
  for (const [key, value] of entries) {
    if (!isKept(key, value)) continue;
    const made = make(key, value);
    if (name === "transformList") list.push(made);
    else if (name === "transformMap") map.set(keyOf(key), made);
    else if (made instanceof CelMap) {
      for (const entry of made.keys()) {
        if (map.has(entry)) throw new CelRuntimeError(`insert failed: key ${String(entry)} already exists`);
        map.set(entry, made.get(entry) ?? null);
      }
    } else throw new CelRuntimeError("no such overload");
  }
  return name === "transformList" ? CelList.of(list) : CelMap.of(map);
}

/** Stops at the first deciding value; an error counts only when no value decides. */
function quantified(values: Iterable<CelValue>, { frame, at, body }: Step, decides: boolean): boolean {
  let failure: CelRuntimeError | undefined;
  for (const value of values) {
    frame.slots[at] = value;
    frame.budget.spend(2);
    const met = attempt(body, frame);
    if (met === decides) return decides;
    if (met instanceof CelRuntimeError) failure ??= met;
    else if (typeof met !== "boolean") failure ??= new CelRuntimeError("no such overload");
  }
  if (failure !== undefined) throw failure;
  return !decides;
}

function isMet({ frame, at, body }: Step, value: CelValue): boolean {
  frame.slots[at] = value;
  frame.budget.spend(2);
  const met = body(frame);
  if (typeof met !== "boolean") throw new CelRuntimeError("no such overload");
  return met;
}

function attempt(run: Run, frame: Frame): CelValue | CelRuntimeError {
  try {
    return run(frame);
  } catch (error) {
    if (!(error instanceof CelRuntimeError)) throw error;
    frame.budget.spend(caughtSteps);
    return error;
  }
}

/** Making and catching an error takes tens of microseconds. */
const caughtSteps = 1_000;

/** A function that cannot handle a value of dynamic type makes the expression fail. */
function guarded(overload: CelFunction, values: readonly CelValue[], budget: CelBudget): CelValue {
  try {
    return overload.run(values, budget);
  } catch (error) {
    if (error instanceof CelRuntimeError || error instanceof CelBudgetError || error instanceof CelPending) {
      throw error;
    }
    throw new CelRuntimeError(`no such overload: ${messageOf(error)}`);
  }
}

function constant(type: CelType, value: CelValue, bytes = 1): Compiled {
  return { type, cost: 0, size: exactly(bytes), run: () => value };
}

/** The name of a type. */
function named(name: string): Compiled {
  const value = new CelTypeValue(name);
  return { type: scalarTypes.type, cost: 1, path: [name], run: () => value };
}

function exactly(size: number): Size {
  return { min: size, max: size };
}

/** The type and the fields of `Object.spec({a: 1})`, which the literal `Object.spec{a: 1}` was rewritten as. */
function literalOf(
  name: string,
  receiver: CelNode | undefined,
  [map, ...others]: readonly CelNode[],
): { readonly type: string; readonly members: readonly (readonly [string, CelNode])[] } | undefined {
  if (map?.op !== "map" || others.length > 0) return undefined;
  const before = receiver === undefined ? "" : qualifiedName(receiver);
  if (before === undefined) return undefined;
  const type = before === "" ? name : `${before}.${name}`;
  if (type !== "JSONPatch" && type.split(".")[0] !== "Object") return undefined;
  const members = map.args.map(([key, value]): readonly [string, CelNode] => [fieldName(key), value]);
  return { type, members };
}

/** Names that are words of the language may be quoted. */
function fieldName(key: CelNode): string {
  if (key.op === "id") return key.args;
  return key.op === "value" && typeof key.args === "string" ? key.args : "";
}

function elementPath({ type, path }: Compiled): readonly string[] | undefined {
  if (type.kind === "list") return [...(path ?? []), "@items"];
  return type.kind === "map" ? [...(path ?? []), "@keys"] : undefined;
}

type Literal = Extract<CelNode, { op: "value" }>["args"];

function literal(value: Literal): Compiled {
  if (value === null) return constant(scalarTypes.null, null);
  switch (typeof value) {
    case "string":
      return constant(scalarTypes.string, value, [...value].length);
    case "bigint":
      return { ...constant(scalarTypes.int, value), integer: value };
    case "number":
      return constant(scalarTypes.double, value);
    case "boolean":
      return constant(scalarTypes.bool, value);
    default:
      if (value instanceof Uint8Array) return constant(scalarTypes.bytes, value, value.length);
      return constant(scalarTypes.uint, new CelUint(value.value));
  }
}

function total(parts: readonly Compiled[]): number {
  return parts.reduce((sum, { cost }) => saturated(sum + cost), 0);
}

function memberOf(value: CelValue, field: string): CelValue | undefined {
  if (value instanceof CelObject || value instanceof CelMap) return value.get(field);
  throw new CelRuntimeError(`no such overload: ${typeOfValue(value)}.${field}`);
}

function elementOf(value: CelValue, place: CelValue): CelValue {
  if (value instanceof CelList) {
    const index = typeof place === "bigint" ? Number(place) : Number.NaN;
    if (Number.isNaN(index))
      throw new CelRuntimeError(`unsupported index type '${typeOfValue(place)}' in list`);
    if (index < 0 || index >= value.size) throw new CelRuntimeError(`index out of bounds: ${place}`);
    return value.at(index);
  }
  if (value instanceof CelMap) {
    const found = value.get(keyOf(place));
    if (found === undefined) throw new CelRuntimeError(`no such key: ${String(place)}`);
    return found;
  }
  throw new CelRuntimeError("no such overload");
}

/** Undefined where there is no such element. */
function elementAt(value: CelValue, place: CelValue): CelValue | undefined {
  if (value instanceof CelMap) return value.get(keyOf(place));
  if (value instanceof CelList && typeof place === "bigint" && (place < 0 || place >= value.size)) {
    return undefined;
  }
  return elementOf(value, place);
}

/** A part of a value, or of what an optional value holds. */
function within(value: CelValue, part: (of: CelValue) => CelValue | undefined): CelOptional {
  const of = value instanceof CelOptional ? value.value : value;
  return new CelOptional(of === undefined ? undefined : part(of));
}

function optionalValue(value: CelValue): CelOptional {
  if (value instanceof CelOptional) return value;
  throw new CelRuntimeError("no such overload");
}

/** The first slots hold the variables of the program. */
function nextSlot(scope: Scope): number {
  return Math.max(1, ...[...scope.values()].map(({ slot }) => slot)) + 1;
}

function* entriesOf(value: CelValue): Iterable<readonly [CelValue, CelValue]> {
  if (value instanceof CelMap) {
    for (const key of value.keys()) yield [key, value.get(key) ?? null];
    return;
  }
  let index = 0n;
  for (const one of elementsOf(value)) yield [index++, one];
}

function elementsOf(value: CelValue): Iterable<CelValue> {
  if (value instanceof CelList) return value.values();
  if (value instanceof CelMap) return value.keys();
  throw new CelRuntimeError("no such overload");
}

/** The type of `[]`. */
function isUnknownList(type: CelType): boolean {
  return type.kind === "list" && type.element.kind === "dyn";
}

function hasDynamicPart(type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "parameter":
    case "null":
      return true;
    case "list":
    case "optional":
      return hasDynamicPart(type.element);
    case "map":
      return hasDynamicPart(type.key) || hasDynamicPart(type.value);
    default:
      return false;
  }
}

/** Whether the values have the types that an overload takes; the function checks elements itself. */
function fits({ args }: CelFunction, values: readonly CelValue[]): boolean {
  return args.every((type, at) => {
    if (type.kind === "parameter" || type.kind === "dyn") return true;
    const value = values[at] ?? null;
    if (type.kind === "list" || type.kind === "map") return typeOfValue(value) === type.kind;
    if (type.kind === "optional") return value instanceof CelOptional;
    return typeOfValue(value) === typeText(type);
  });
}

/** The name of a chain of field selections: `google.protobuf.Timestamp`. */
function qualifiedName(node: CelNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op !== ".") return undefined;
  const before = qualifiedName(node.args[0]);
  return before === undefined ? undefined : `${before}.${node.args[1]}`;
}

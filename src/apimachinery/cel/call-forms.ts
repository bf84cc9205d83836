import { checkFormat } from "./check-format.js";
import { checkPattern, checkTime, noteConversion, patternFunctions } from "./check-literals.js";
import { compileCall } from "./compile-call.js";
import { compileObjectLiteral, literalOf } from "./compile-literals.js";
import { compileBinding, compileComprehension, compileHas, compileSortBy, macros } from "./compile-macros.js";
import { compileOptionalCall, optionalMacros } from "./compile-optionals.js";
import type { CompileContext, Compiled, Scope } from "./compiled.js";
import { qualifiedName } from "./node-places.js";
import type { CelNode } from "./parse-cel.js";
import { compileTwoVariableComprehension, twoVariableMacros } from "./two-variable-macros.js";

/** `receiver.name(args)`. */
interface MemberCall {
  readonly node: CelNode;
  readonly name: string;
  readonly receiver: CelNode;
  readonly args: readonly CelNode[];
}

/** `name(args)`. */
export function compileGlobalCall(
  context: CompileContext,
  node: CelNode,
  name: string,
  args: readonly CelNode[],
  scope: Scope,
): Compiled {
  const { hasObjectLiterals, checksLiterals } = context.environment;
  const literal = hasObjectLiterals ? literalOf(name, undefined, args) : undefined;
  if (literal !== undefined) return compileObjectLiteral(context, literal, scope);
  const [first, second] = args;
  if (name === "has" && args.length === 1) return compileHas(context, node, first, scope);
  const compiled = args.map((arg) => context.compile(arg, scope));
  checkPatternOf(context, name, second);
  if (checksLiterals && first !== undefined) checkTime(context, first, name);
  const call = compileCall(context, node, name, false, compiled);
  noteConversion(context, node, call);
  return call;
}

/** Compiles `receiver.name(args)`: an object literal, a macro, a namespaced function or a method. */
export function compileMemberCall(context: CompileContext, call: MemberCall, scope: Scope): Compiled {
  const { name, receiver, args } = call;
  const literal = context.environment.hasObjectLiterals ? literalOf(name, receiver, args) : undefined;
  if (literal !== undefined) return compileObjectLiteral(context, literal, scope);
  return (
    compileMacro(context, call, scope) ??
    compileNamespaced(context, call, scope) ??
    compileMethod(context, call, scope)
  );
}

function compileMacro(
  context: CompileContext,
  { node, name, receiver, args }: MemberCall,
  scope: Scope,
): Compiled | undefined {
  const { environment } = context;
  const signature = `${name}/${args.length}`;
  if (macros.has(signature)) return compileComprehension(context, node, name, receiver, args, scope);
  if (environment.hasTwoVariableMacros && twoVariableMacros.has(signature)) {
    return compileTwoVariableComprehension(context, node, name, receiver, args, scope);
  }
  if (signature === "sortBy/2" && environment.hasFunction("sort")) {
    return compileSortBy(context, node, receiver, args, scope);
  }
  if (signature === "bind/3" && environment.hasBindings && qualifiedName(receiver) === "cel") {
    return compileBinding(context, args, scope);
  }
  return undefined;
}

/** A variable hides the namespaces that begin with its name. */
function compileNamespaced(
  context: CompileContext,
  { node, name, receiver, args }: MemberCall,
  scope: Scope,
): Compiled | undefined {
  const namespace = qualifiedName(receiver);
  if (namespace === undefined || scope.has(namespace.split(".")[0] ?? "")) return undefined;
  const fullName = `${namespace}.${name}`;
  if (!context.environment.hasFunction(fullName)) return undefined;
  const compiled = args.map((arg) => context.compile(arg, scope));
  return compileCall(context, node, fullName, false, compiled);
}

function compileMethod(
  context: CompileContext,
  { node, name, receiver, args }: MemberCall,
  scope: Scope,
): Compiled {
  const { environment } = context;
  if (environment.hasOptionals && optionalMacros.has(`${name}/${args.length}`)) {
    const optional = compileOptionalCall(context, node, name, receiver, args, scope);
    if (optional !== undefined) return optional;
  }
  const [first] = args;
  const isFormat = name === "format" && args.length === 1 && environment.functions(".format").length > 0;
  const formatted = isFormat && first?.op === "list" ? first : undefined;
  if (formatted !== undefined) context.mixed.add(formatted);
  const compiled = [receiver, ...args].map((arg) => context.compile(arg, scope));
  checkPatternOf(context, name, first);
  const template = receiver.op === "value" ? receiver.args : undefined;
  if (environment.checksFormats && formatted !== undefined && typeof template === "string") {
    const values = compiled[1]?.entries ?? [];
    context.asAdvice(() => checkFormat(context, { call: node, template, list: formatted, values }));
  }
  return compileCall(context, node, name, true, compiled);
}

function checkPatternOf(context: CompileContext, name: string, pattern: CelNode | undefined): void {
  if (patternFunctions.includes(name) && pattern?.op === "value" && typeof pattern.args === "string") {
    checkPattern(context, pattern, pattern.args, name);
  }
}

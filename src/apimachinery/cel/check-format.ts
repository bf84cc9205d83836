import { CelRuntimeError } from "./cel-error.js";
import { type CelType, typeText } from "./cel-type.js";
import type { CompileContext, Compiled } from "./compiled.js";
import { mayPrint, readClause, type Verb, wrongValueText } from "./format-clauses.js";
import type { CelNode } from "./parse-cel.js";

/** A literal with its entries. */
type Literal = Extract<CelNode, { op: "list" | "map" }>;

/** A call of `format` of a literal text with a literal list. Source: cel-go, the validator of the extension "strings". */
interface FormatCall {
  readonly call: CelNode;
  readonly template: string;
  readonly list: Literal;
  readonly values: readonly Compiled[];
}

/** Checks each clause of a template against the type of its value, where that is known. Throws `CelCompileError`. */
export function checkFormat(context: CompileContext, { call, template, list, values }: FormatCall): void {
  const nodes = entriesOf(list);
  let used = 0;
  for (let at = template.indexOf("%"); at >= 0; ) {
    let end = at + 2;
    if (template[at + 1] !== "%") {
      const isLast = at + 1 === template.length;
      if (!isLast && used >= values.length) throw context.error(call, `index ${used} out of range`);
      const clause = clauseAt(context, call, template, at);
      const [node, value] = [nodes[used], values[used]];
      if (node !== undefined && value !== undefined) checkValue(context, clause.verb, node, value);
      used++;
      end = clause.end;
    }
    at = template.indexOf("%", end);
  }
  if (values.length > used) {
    throw context.error(
      call,
      `too many arguments supplied to string.format (expected ${used}, got ${values.length})`,
    );
  }
}

function clauseAt(
  context: CompileContext,
  call: CelNode,
  template: string,
  at: number,
): ReturnType<typeof readClause> {
  try {
    return readClause(template, at);
  } catch (error) {
    if (error instanceof CelRuntimeError) throw context.error(call, error.message);
    throw error;
  }
}

function checkValue(context: CompileContext, verb: Verb, node: CelNode, { type, entries }: Compiled): void {
  if (!mayPrint(verb, type)) throw context.error(node, wrongValueText(verb, nameOf(type)));
  if (verb !== "s" || (node.op !== "list" && node.op !== "map")) return;
  for (const [index, entry] of entriesOf(node).entries()) {
    const value = entries?.[index];
    if (value !== undefined) checkValue(context, verb, entry, value);
  }
}

/** The elements of a list, or the keys and values of a map. */
function entriesOf(literal: Literal): readonly CelNode[] {
  return literal.op === "list" ? literal.args : literal.args.flat();
}

/** The name of a type without its parameters. */
function nameOf(type: CelType): string {
  return type.kind === "list" || type.kind === "map" ? type.kind : (typeText(type).split("(")[0] ?? "");
}

import { type CelEnvironment, celEnvironment, defaultRules } from "../cel/cel-environment.js";
import { CelCompileError } from "../cel/cel-error.js";
import type { CelProgram } from "../cel/cel-program.js";
import { type CelType, optionalOf } from "../cel/cel-type.js";
import { compileCel } from "../cel/compile-cel.js";
import { ruleType } from "./rule-types.js";
import type { StructuralSchema, ValidationRule } from "./structural-schema.js";

/** A compiled validation rule, or its error. */
export interface CompiledRule {
  readonly source: ValidationRule;
  readonly program: CelProgram | undefined;
  /** Why the rule did not compile. */
  readonly problem: string | undefined;
  readonly message: CelProgram | undefined;
  readonly messageProblem: string | undefined;
  /** Whether the rule refers to `oldSelf`. */
  readonly isTransition: boolean;
}

const kept = new WeakMap<StructuralSchema, readonly CompiledRule[]>();

/** Returns the environment that a rule with this text compiles in. */
export type RuleEnvironment = (text: string) => CelEnvironment;

/** Used when no level is given. */
export const defaultRuleEnvironment: RuleEnvironment = () => celEnvironment(defaultRules);

/** The rules of one schema node, compiled once per schema. `isResource`: see `ruleType`. */
export function compiledRules(
  schema: StructuralSchema,
  isResource: boolean,
  environment: RuleEnvironment,
): readonly CompiledRule[] {
  const known = kept.get(schema);
  if (known !== undefined) return known;
  const type = ruleType(schema, isResource);
  const rules = schema.rules.map((source) => compileRule(source, type, environment));
  kept.set(schema, rules);
  return rules;
}

function compileRule(
  source: ValidationRule,
  type: CelType | undefined,
  environment: RuleEnvironment,
): CompiledRule {
  const variables = type && {
    self: type,
    oldSelf: source.optionalOldSelf === true ? optionalOf(type) : type,
  };
  const rule = compile(source.rule, variables, "bool", environment);
  const hasMessage = source.messageExpression.trim() !== "" && rule.program !== undefined;
  const message = !hasMessage ? {} : compile(source.messageExpression, variables, "string", environment);
  return {
    source,
    program: rule.program,
    problem: rule.problem,
    message: message.program,
    messageProblem: message.problem === undefined ? undefined : `messageExpression ${message.problem}`,
    isTransition: rule.program?.reads.has("oldSelf") === true,
  };
}

/** The error of every rule in a schema without a usable type. */
export const undeclaredType = "unable to convert structural schema to CEL declarations";

interface Outcome {
  readonly program?: CelProgram;
  readonly problem?: string;
}

function compile(
  text: string,
  variables: Readonly<Record<string, CelType>> | undefined,
  result: "bool" | "string",
  environment: RuleEnvironment,
): Outcome {
  if (variables === undefined) return { problem: undeclaredType };
  try {
    const program = compileCel(text.trim(), variables, environment(text));
    if (program.type.kind === result || program.type.kind === "dyn") {
      if (program.problem === undefined) return { program };
      return { problem: `program instantiation failed: ${program.problem}` };
    }
    return {
      problem: result === "bool" ? "cel expression must evaluate to a bool" : "must evaluate to a string",
    };
  } catch (error) {
    if (error instanceof CelCompileError) return { problem: `compilation failed: ${error.message}` };
    throw error;
  }
}

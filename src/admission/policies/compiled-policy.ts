import { scalarTypes } from "../../apimachinery/cel/cel-type.js";
import {
  type Compiled,
  type ExpressionContext,
  PolicyCompiler,
} from "../../apis/admissionregistration/expressions/policy-compiler.js";
import type {
  MatchCondition,
  ParamKind,
  ValidatingAdmissionPolicy,
  Variable,
} from "../../apis/gen/admissionregistration-v1.js";
import type { NamedCondition } from "./match-conditions.js";
import { type PolicyMatch, policyMatch } from "./policy-match.js";
import type { PolicyExpression } from "./policy-run.js";

const { bool, string } = scalarTypes;
const nullType = scalarTypes.null;

/** The compiled parts that both kinds of policies have. */
export interface PolicyBasis {
  readonly conditions: readonly NamedCondition[];
  readonly variables: ReadonlyMap<string, PolicyExpression>;
  /** Whether an expression may read the object's namespace. */
  readonly readsNamespace: boolean;
}

export interface CompiledValidation {
  readonly rule: PolicyExpression;
  readonly messageExpression: PolicyExpression | undefined;
  readonly message: string;
  readonly reason: string;
}

export interface CompiledAnnotation extends PolicyExpression {
  readonly key: string;
}

export interface CompiledPolicy extends PolicyBasis {
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

/** A policy as the plugin keeps it. It is compiled once per change, when a request first matches it. */
export class ValidatingPolicy {
  readonly name: string;
  readonly match: PolicyMatch;
  readonly paramKind: ParamKind | undefined;
  readonly ignoresFailures: boolean;
  readonly #context: ExpressionContext;
  #source: ValidatingAdmissionPolicy["spec"] | undefined;
  #compiled: CompiledPolicy | undefined;

  constructor({ metadata, spec }: ValidatingAdmissionPolicy, context: ExpressionContext) {
    this.name = metadata.name ?? "";
    this.match = policyMatch(spec.matchConstraints);
    this.paramKind = spec.paramKind;
    this.ignoresFailures = spec.failurePolicy === "Ignore";
    this.#context = context;
    this.#source = spec;
  }

  get compiled(): CompiledPolicy {
    this.#compiled ??= compileValidating(this.#source, this.#context);
    this.#source = undefined;
    return this.#compiled;
  }
}

/** Compiles what both kinds of policies have. The compiler knows the variables afterwards. */
export function compileBasis(
  compiler: PolicyCompiler,
  { matchConditions = [], variables = [] }: BasisSource,
): Omit<PolicyBasis, "readsNamespace"> {
  const conditions = matchConditions.map(({ name, expression }) => {
    const options = { returns: [bool], hasAuthorizer: true, isStored: true };
    return { name, ...expressionOf(expression, compiler.compile(expression, options)) };
  });
  const made = new Map<string, PolicyExpression>();
  for (const { name, expression } of variables) {
    made.set(name, expressionOf(expression, compiler.addVariable(name, expression, true)));
  }
  return { conditions, variables: made };
}

export interface BasisSource {
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly variables?: readonly Variable[] | undefined;
}

export function expressionOf(text: string, { program, problem }: Compiled): PolicyExpression {
  return { text, program, problem };
}

export function readsNamespace(expressions: Iterable<PolicyExpression | undefined>): boolean {
  for (const expression of expressions) {
    if (expression?.program?.reads.has("namespaceObject") === true) return true;
  }
  return false;
}

function compileValidating(
  spec: ValidatingAdmissionPolicy["spec"] | undefined,
  context: ExpressionContext,
): CompiledPolicy {
  const { paramKind, validations = [], auditAnnotations = [] } = spec ?? {};
  const compiler = new PolicyCompiler(context, {
    hasParams: paramKind !== undefined,
    purpose: "admission",
  });
  const { conditions, variables } = compileBasis(compiler, spec ?? {});
  const rules = validations.map(({ expression, message = "", messageExpression = "", reason = "" }) => ({
    rule: expressionOf(
      expression,
      compiler.compile(expression, { returns: [bool], hasAuthorizer: true, isStored: true }),
    ),
    messageExpression:
      messageExpression === ""
        ? undefined
        : expressionOf(
            messageExpression,
            compiler.compile(messageExpression, { returns: [string], hasAuthorizer: false, isStored: true }),
          ),
    message: message.trim(),
    reason,
  }));
  const annotations = auditAnnotations.map(({ key, valueExpression }) => {
    const options = { returns: [string, nullType], hasAuthorizer: true, isStored: true };
    return { key, ...expressionOf(valueExpression, compiler.compile(valueExpression.trim(), options)) };
  });
  return {
    conditions,
    variables,
    validations: rules,
    annotations,
    readsNamespace: readsNamespace([
      ...conditions,
      ...variables.values(),
      ...rules.flatMap(({ rule, messageExpression }) => [rule, messageExpression]),
      ...annotations,
    ]),
  };
}

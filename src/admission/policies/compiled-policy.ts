import { scalarTypes } from "../../apimachinery/cel/cel-type.js";
import {
  type Compiled,
  type ExpressionContext,
  PolicyCompiler,
} from "../../apis/admissionregistration/expressions/policy-compiler.js";
import type {
  MatchCondition,
  ValidatingAdmissionPolicy,
  Variable,
} from "../../apis/gen/admissionregistration-v1.js";
import { AdmissionPolicy, type PolicyBasis } from "./admission-policy.js";
import type { PolicyExpression } from "./policy-run.js";

const { bool, string } = scalarTypes;
const nullType = scalarTypes.null;

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

export class ValidatingPolicy extends AdmissionPolicy<CompiledPolicy> {
  constructor({ metadata, spec }: ValidatingAdmissionPolicy, context: ExpressionContext) {
    super({ metadata, spec }, () => compileValidating(spec, context));
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
  spec: ValidatingAdmissionPolicy["spec"],
  context: ExpressionContext,
): CompiledPolicy {
  const { paramKind, validations = [], auditAnnotations = [] } = spec;
  const compiler = new PolicyCompiler(context, {
    hasParams: paramKind !== undefined,
    purpose: "admission",
  });
  const { conditions, variables } = compileBasis(compiler, spec);
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

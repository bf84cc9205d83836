import {
  type ExpressionContext,
  PolicyCompiler,
} from "../../apis/admissionregistration/expressions/policy-compiler.js";
import {
  appliedType,
  patchesType,
} from "../../apis/admissionregistration/policies/mutating-policy-validation.js";
import type { MutatingAdmissionPolicy } from "../../apis/gen/admissionregistration-v1.js";
import { AdmissionPolicy, type PolicyBasis } from "./admission-policy.js";
import { compileBasis, expressionOf, readsNamespace } from "./compiled-policy.js";
import type { PolicyExpression } from "./policy-run.js";

export interface CompiledMutation extends PolicyExpression {
  /** Whether the expression makes an apply configuration; otherwise a JSON patch. */
  readonly isApplied: boolean;
}

export interface CompiledMutations extends PolicyBasis {
  readonly mutations: readonly CompiledMutation[];
}

export class MutatingPolicy extends AdmissionPolicy<CompiledMutations> {
  readonly isReinvoked: boolean;

  constructor({ metadata, spec }: MutatingAdmissionPolicy, context: ExpressionContext) {
    super({ metadata, spec }, () => compileMutating(spec, context));
    this.isReinvoked = spec.reinvocationPolicy === "IfNeeded";
  }
}

function compileMutating(
  spec: MutatingAdmissionPolicy["spec"],
  context: ExpressionContext,
): CompiledMutations {
  const { paramKind, mutations = [] } = spec;
  const compiler = new PolicyCompiler(context, { hasParams: paramKind !== undefined, purpose: "mutation" });
  const { conditions, variables } = compileBasis(compiler, spec);
  const made = mutations.map(({ patchType, applyConfiguration, jsonPatch }) => {
    const isApplied = patchType === "ApplyConfiguration";
    const { expression = "" } = (isApplied ? applyConfiguration : jsonPatch) ?? {};
    const returns = [isApplied ? appliedType : patchesType];
    const compiled = compiler.compile(expression, { returns, hasAuthorizer: true, isStored: true });
    return { isApplied, ...expressionOf(expression, compiled) };
  });
  return {
    conditions,
    variables,
    mutations: made,
    readsNamespace: readsNamespace([...conditions, ...variables.values(), ...made]),
  };
}

import {
  type ExpressionContext,
  PolicyCompiler,
} from "../../apis/admissionregistration/expressions/policy-compiler.js";
import {
  appliedType,
  patchesType,
} from "../../apis/admissionregistration/policies/mutating-policy-validation.js";
import type { MutatingAdmissionPolicy, ParamKind } from "../../apis/gen/admissionregistration-v1.js";
import { compileBasis, expressionOf, type PolicyBasis, readsNamespace } from "./compiled-policy.js";
import { type PolicyMatch, policyMatch } from "./policy-match.js";
import type { PolicyExpression } from "./policy-run.js";

export interface CompiledMutation extends PolicyExpression {
  /** Whether the expression makes an apply configuration; otherwise a JSON patch. */
  readonly isApplied: boolean;
}

export interface CompiledMutations extends PolicyBasis {
  readonly mutations: readonly CompiledMutation[];
}

/** A policy as the plugin keeps it. It is compiled once per change, when a request first matches it. */
export class MutatingPolicy {
  readonly name: string;
  readonly match: PolicyMatch;
  readonly paramKind: ParamKind | undefined;
  readonly ignoresFailures: boolean;
  readonly isReinvoked: boolean;
  readonly #context: ExpressionContext;
  #source: MutatingAdmissionPolicy["spec"] | undefined;
  #compiled: CompiledMutations | undefined;

  constructor({ metadata, spec }: MutatingAdmissionPolicy, context: ExpressionContext) {
    this.name = metadata.name ?? "";
    this.match = policyMatch(spec.matchConstraints);
    this.paramKind = spec.paramKind;
    this.ignoresFailures = spec.failurePolicy === "Ignore";
    this.isReinvoked = spec.reinvocationPolicy === "IfNeeded";
    this.#context = context;
    this.#source = spec;
  }

  get compiled(): CompiledMutations {
    this.#compiled ??= compileMutating(this.#source, this.#context);
    this.#source = undefined;
    return this.#compiled;
  }
}

function compileMutating(
  spec: MutatingAdmissionPolicy["spec"] | undefined,
  context: ExpressionContext,
): CompiledMutations {
  const { paramKind, mutations = [] } = spec ?? {};
  const compiler = new PolicyCompiler(context, { hasParams: paramKind !== undefined, purpose: "mutation" });
  const { conditions, variables } = compileBasis(compiler, spec ?? {});
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

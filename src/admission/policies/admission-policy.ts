import type { MatchResources, ParamKind } from "../../apis/gen/admissionregistration-v1.js";
import type { NamedCondition } from "./match-conditions.js";
import { type PolicyMatch, policyMatch } from "./policy-match.js";
import type { PolicyExpression } from "./policy-run.js";

/** The compiled parts that both kinds of policies have. */
export interface PolicyBasis {
  readonly conditions: readonly NamedCondition[];
  readonly variables: ReadonlyMap<string, PolicyExpression>;
  /** Whether an expression may read the object's namespace. */
  readonly readsNamespace: boolean;
}

/** What the plugins read of a policy of either kind without compiling it. */
interface PolicySource {
  readonly metadata: { readonly name?: string | undefined };
  readonly spec: {
    readonly matchConstraints?: MatchResources | undefined;
    readonly paramKind?: ParamKind | undefined;
    readonly failurePolicy?: string | undefined;
  };
}

/** A policy as its plugin keeps it. It is compiled once per change, when a request first matches it. */
export class AdmissionPolicy<C extends PolicyBasis> {
  readonly name: string;
  readonly match: PolicyMatch;
  readonly paramKind: ParamKind | undefined;
  readonly ignoresFailures: boolean;
  /** Once the policy is compiled, its source is freed. */
  #parts: { readonly compiled: C } | (() => C);

  constructor({ metadata, spec }: PolicySource, compile: () => C) {
    this.name = metadata.name ?? "";
    this.match = policyMatch(spec.matchConstraints);
    this.paramKind = spec.paramKind;
    this.ignoresFailures = spec.failurePolicy === "Ignore";
    this.#parts = compile;
  }

  get compiled(): C {
    if (typeof this.#parts === "function") this.#parts = { compiled: this.#parts() };
    return this.#parts.compiled;
  }
}

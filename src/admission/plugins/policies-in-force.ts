import type { BuiltinObjects } from "../../apis/builtin-objects.js";
import type { MatchResources, ParamRef } from "../../apis/gen/admissionregistration-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import { type ManifestKind, type ManifestPlugin, noneListed } from "../manifests/manifests.js";
import { isExempt, isReview, type NamedBinding, PolicyList } from "../policies/policy-list.js";
import { type PolicyMatch, policyMatch } from "../policies/policy-match.js";
import type { PluginContext } from "./plugin-context.js";

/** A kind of objects, and what a plugin keeps of each object in memory. */
interface KeptKind<R extends ManifestKind, V> {
  readonly resource: R;
  readonly view: (object: BuiltinObjects[R]) => V;
}

/** The policies of one plugin, from the API and from files. */
export class PoliciesInForce<P extends { readonly name: string }, B extends NamedBinding> {
  readonly #ofApi: PolicyList<P, B>;
  readonly #ofFiles: PolicyList<P, B>;
  readonly #naming: Naming;

  private constructor(ofApi: PolicyList<P, B>, ofFiles: PolicyList<P, B>, naming: Naming) {
    this.#ofApi = ofApi;
    this.#ofFiles = ofFiles;
    this.#naming = naming;
  }

  static of<
    PR extends ManifestKind,
    BR extends ManifestKind,
    P extends { readonly name: string },
    B extends NamedBinding,
  >(
    { cluster, manifests, naming }: PluginContext,
    plugin: ManifestPlugin,
    policies: KeptKind<PR, P>,
    bindings: KeptKind<BR, B>,
  ): PoliciesInForce<P, B> {
    const files = manifests?.(plugin);
    return new PoliciesInForce(
      new PolicyList(
        cluster.follow(policies.resource, { view: (stored) => policies.view(stored.decode()) }),
        cluster.follow(bindings.resource, { view: (stored) => bindings.view(stored.decode()) }),
      ),
      new PolicyList(
        files?.kind(policies.resource, policies.view) ?? noneListed,
        files?.kind(bindings.resource, bindings.view) ?? noneListed,
      ),
      naming,
    );
  }

  /** The policies that may apply to a request, with their bindings: first those from files, each in the order of their names. */
  over(attributes: AdmissionAttributes): readonly { readonly policy: P; readonly bindings: readonly B[] }[] {
    const ofApi = this.#ofApi.isEmpty || isExempt(attributes, this.#naming) ? [] : this.#ofApi.inOrder();
    const ofFiles =
      this.#ofFiles.isEmpty || isReview(attributes, this.#naming) ? [] : this.#ofFiles.inOrder();
    return [...ofFiles, ...ofApi];
  }
}

/** A binding as plugins keep it. */
export interface PolicyBinding extends NamedBinding {
  readonly paramRef: ParamRef | undefined;
  readonly match: PolicyMatch;
}

export function policyBinding({
  metadata,
  spec,
}: {
  readonly metadata: { readonly name?: string | undefined };
  readonly spec: {
    readonly policyName?: string | undefined;
    readonly paramRef?: ParamRef | undefined;
    readonly matchResources?: MatchResources | undefined;
  };
}): PolicyBinding {
  return {
    name: metadata.name ?? "",
    policyName: spec.policyName ?? "",
    paramRef: spec.paramRef,
    match: policyMatch(spec.matchResources),
  };
}

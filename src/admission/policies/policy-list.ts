import { compareText } from "../../apimachinery/collections/compare-text.js";
import { addToList } from "../../apimachinery/collections/groups.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { Listed } from "../manifests/manifests.js";

/** Policies with their bindings, in order of their names. */
export class PolicyList<P extends { readonly name: string }, B extends NamedBinding> {
  readonly #policies: Listed<P>;
  readonly #bindings: Listed<B>;

  constructor(policies: Listed<P>, bindings: Listed<B>) {
    this.#policies = policies;
    this.#bindings = bindings;
  }

  get isEmpty(): boolean {
    return this.#policies.size === 0 || this.#bindings.size === 0;
  }

  /** A snapshot: changes do not affect a request in progress. */
  inOrder(): { readonly policy: P; readonly bindings: readonly B[] }[] {
    const byPolicy = new Map<string, B[]>();
    for (const binding of this.#bindings.values()) {
      addToList(byPolicy, binding.policyName, binding);
    }
    const bound: { readonly policy: P; readonly bindings: readonly B[] }[] = [];
    for (const policy of this.#policies.values()) {
      const bindings = byPolicy.get(policy.name);
      if (bindings !== undefined) bound.push({ policy, bindings: bindings.sort(byName) });
    }
    return bound.sort((a, b) => byName(a.policy, b.policy));
  }
}

export interface NamedBinding {
  readonly name: string;
  readonly policyName: string;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}

const policyResources: ReadonlySet<string> = new Set([
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
]);

/** Reviews, which ask something and store nothing. */
const reviews: Readonly<Record<string, ReadonlySet<string>>> = {
  authentication: new Set(["selfsubjectreviews", "tokenreviews"]),
  authorization: new Set([
    "localsubjectaccessreviews",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
  ]),
};

/** Policies of the API must not keep an administrator from repairing policies, and reviews are never subject to policies. */
export function isExempt(attributes: AdmissionAttributes, naming: Naming): boolean {
  const { resource } = attributes;
  return naming.groupStem(resource.group) === "admissionregistration"
    ? policyResources.has(resource.resource)
    : isReview(attributes, naming);
}

/** Whether it is a review, to which no policy applies. */
export function isReview({ resource }: AdmissionAttributes, naming: Naming): boolean {
  return reviews[naming.groupStem(resource.group)]?.has(resource.resource) ?? false;
}

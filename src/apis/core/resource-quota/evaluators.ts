import type { Naming } from "../../../naming/naming.js";
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from "../../gen/core-v1.js";
import type { QuotaEvaluator } from "./evaluator.js";
import { claimEvaluator, countEvaluator, serviceEvaluator } from "./object-evaluators.js";
import { podEvaluator } from "./pod-evaluator.js";

interface CountedResource {
  /** Full name. */
  readonly group: string;
  readonly resource: string;
}

/** The evaluator of each resource. Source: Kubernetes documentation, "Resource Quotas". */
export class QuotaEvaluators {
  readonly #special: ReadonlyMap<string, QuotaEvaluator>;
  readonly #ignored: ReadonlySet<string>;

  constructor(naming: Naming) {
    this.#special = new Map([
      ["pods", podEvaluator(naming)],
      ["services", serviceEvaluator()],
      ["persistentvolumeclaims", claimEvaluator(naming)],
      ...["configmaps", "replicationcontrollers", "resourcequotas", "secrets"].map(
        (resource) => [resource, countEvaluator("", resource)] as const,
      ),
    ]);
    const [authentication, authorization] = [naming.group("authentication"), naming.group("authorization")];
    this.#ignored = new Set([
      // Not stored.
      ...["bindings", "componentstatuses"].map((resource) => keyOf({ group: "", resource })),
      keyOf({ group: authentication, resource: "tokenreviews" }),
      ...[
        "subjectaccessreviews",
        "selfsubjectaccessreviews",
        "localsubjectaccessreviews",
        "selfsubjectrulesreviews",
      ].map((resource) => keyOf({ group: authorization, resource })),
      // They expire by themselves.
      keyOf({ group: "", resource: "events" }),
    ]);
  }

  /** Undefined for a resource that quotas do not count. */
  of(resource: CountedResource): QuotaEvaluator | undefined {
    if (this.#ignored.has(keyOf(resource))) return undefined;
    const special = resource.group === "" ? this.#special.get(resource.resource) : undefined;
    return special ?? countEvaluator(resource.group, resource.resource);
  }

  /** The resource whose objects use the quota resource `name`; it need not exist. */
  countedBy(name: string): CountedResource | undefined {
    for (const [resource, evaluator] of this.#special) {
      if (evaluator.counts(name)) return { group: "", resource };
    }
    if (!name.startsWith("count/")) return undefined;
    const counted = name.slice("count/".length);
    const dot = counted.indexOf(".");
    if (dot < 0) return { group: "", resource: counted };
    return { group: counted.slice(dot + 1), resource: counted.slice(0, dot) };
  }
}

/** The scopes that an object must match to count for a quota. */
export function scopesOf({
  scopes,
  scopeSelector,
}: ResourceQuotaSpec): readonly ScopedResourceSelectorRequirement[] {
  return [
    ...(scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
}

function keyOf({ group, resource }: CountedResource): string {
  return `${resource}.${group}`;
}

import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";

export const read = "get list watch";
export const write = "create delete deletecollection patch update";
export const readWrite = `${read} ${write}`;

/** Makes rules from strings of words separated by spaces: verbs, stems of groups (`core`, `apps`, `storage`) and resources. */
export class RuleWords {
  readonly #naming: Naming;

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  rule(verbs: string, groups: string, resources: string, resourceNames?: string): PolicyRule {
    return {
      verbs: words(verbs),
      apiGroups: words(groups).map((stem) => (stem === "core" ? "" : this.#naming.group(stem))),
      resources: words(resources),
      ...(resourceNames !== undefined && { resourceNames: words(resourceNames) }),
    };
  }

  urls(paths: string): PolicyRule {
    return { verbs: ["get"], nonResourceURLs: words(paths) };
  }

  /** For every component that records events. */
  get events(): PolicyRule {
    return this.rule("create patch update", "core events", "events");
  }

  get reviews(): readonly PolicyRule[] {
    return [
      this.rule("create", "authentication", "tokenreviews"),
      this.rule("create", "authorization", "subjectaccessreviews"),
    ];
  }

  /** The permissions for leader election: a lease, and below 1.28 the endpoints of older locks. */
  leader(name: string, level: ApiLevel): readonly PolicyRule[] {
    const leases = [
      this.rule("create", "coordination", "leases"),
      this.rule("get update", "coordination", "leases", name),
    ];
    if (isAtLeast(level, "1.28")) return leases;
    return [
      ...leases,
      this.rule("create", "core", "endpoints"),
      this.rule("get update", "core", "endpoints", name),
    ];
  }
}

/** The rules, if the condition holds. */
export function when(condition: boolean, rule: PolicyRule): readonly PolicyRule[] {
  return condition ? [rule] : [];
}

/** Sorted, as Kubernetes lists what a rule names. */
function words(text: string): string[] {
  return text.split(" ").sort();
}

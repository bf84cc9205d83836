import { addToList } from "../../apimachinery/collections/groups.js";
import { quoted } from "../../apimachinery/errors/quoted-text.js";
import { pathPrefix } from "../../apimachinery/requests/path-prefix.js";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";

/**
 * Comparisons per request; beyond it a rule counts as missing. Kubernetes has no limit, but here a small binding may name a large role,
 * whose rules are compared on the serving thread.
 */
const comparisonsMax = 200_000;
/** Lines of an error message. */
const describedMax = 100;

/**
 * The permissions that `wanted` grants and `held` does not, with their verbs merged again; empty when everything is held. A rule with too
 * many combinations to compare counts as missing, unless a single held rule covers it. Source: Kubernetes
 * `k8s.io/component-helpers/auth/rbac/validation`, `Covers`.
 */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const cover = new Cover(held);
  return putTogether(wanted.flatMap((rule) => cover.missingOf(rule)));
}

/** `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}`, one per line, sorted. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const lines = [...new Set(rules.map(describeRule))].sort();
  const more = lines.length - describedMax;
  return more > 0 ? [...lines.slice(0, describedMax), `and ${more} more`].join("\n") : lines.join("\n");
}

function describeRule(rule: PolicyRule): string {
  const { apiGroups, resources, nonResourceURLs, resourceNames, verbs } = rule;
  const parts = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ] as const;
  const shown = parts.flatMap(([name, texts = []]) =>
    texts.length > 0 ? [`${name}:${quotedList(texts)}`] : [],
  );
  return `{${shown.join(", ")}}`;
}

/** As Go prints a list of texts with `%q`. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(" ")}]`;
}

interface HeldRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly urls: readonly string[];
  /** Undefined: every name. */
  readonly names: ReadonlySet<string> | undefined;
}

class Cover {
  readonly #byResource = new Map<string, HeldRule[]>();
  readonly #withUrls: HeldRule[] = [];
  #comparisonsLeft = comparisonsMax;

  constructor(held: readonly PolicyRule[]) {
    for (const rule of held) {
      const { resourceNames = [], resources = [], nonResourceURLs = [] } = rule;
      const ready: HeldRule = {
        verbs: new Set(rule.verbs),
        apiGroups: new Set(rule.apiGroups),
        resources: new Set(resources),
        urls: nonResourceURLs,
        names: resourceNames.length > 0 ? new Set(resourceNames) : undefined,
      };
      for (const resource of ready.resources) {
        addToList(this.#byResource, resource, ready);
      }
      if (nonResourceURLs.length > 0) this.#withUrls.push(ready);
    }
  }

  missingOf(rule: PolicyRule): PolicyRule[] {
    return [...this.#missingResources(rule), ...this.#missingUrls(rule)];
  }

  #missingResources(rule: PolicyRule): PolicyRule[] {
    const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
    if (resources.length === 0 || this.#isCoveredByOne(rule)) return [];
    const combinations =
      verbs.length * apiGroups.length * resources.length * Math.max(1, resourceNames.length);
    if (combinations > this.#comparisonsLeft) return [{ verbs, apiGroups, resources, resourceNames }];
    const missing: PolicyRule[] = [];
    const names = resourceNames.length > 0 ? resourceNames : [undefined];
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const verb of verbs) {
          for (const name of names) {
            if (this.#holds(group, resource, verb, name)) continue;
            const single = { verbs: [verb], apiGroups: [group], resources: [resource] };
            missing.push(name === undefined ? single : { ...single, resourceNames: [name] });
          }
        }
      }
    }
    return missing;
  }

  #isCoveredByOne({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): boolean {
    for (const held of this.#candidates(resources[0] ?? "")) {
      this.#comparisonsLeft -= 1;
      if (this.#comparisonsLeft < 0) return false;
      const isCovered =
        hasAll(held.verbs, verbs) &&
        hasAll(held.apiGroups, apiGroups) &&
        resources.every((resource) =>
          resourcePatterns(resource).some((pattern) => held.resources.has(pattern)),
        ) &&
        (held.names === undefined ||
          (resourceNames.length > 0 && resourceNames.every((name) => held.names?.has(name))));
      if (isCovered) return true;
    }
    return false;
  }

  #holds(group: string, resource: string, verb: string, name: string | undefined): boolean {
    for (const held of this.#candidates(resource)) {
      this.#comparisonsLeft -= 1;
      if (this.#comparisonsLeft < 0) return false;
      if (!has(held.verbs, verb) || !has(held.apiGroups, group)) continue;
      if (held.names === undefined || (name !== undefined && held.names.has(name))) return true;
    }
    return false;
  }

  *#candidates(resource: string): Generator<HeldRule, void> {
    for (const pattern of resourcePatterns(resource)) yield* this.#byResource.get(pattern) ?? [];
  }

  #missingUrls({ verbs = [], nonResourceURLs = [] }: PolicyRule): PolicyRule[] {
    if (nonResourceURLs.length === 0) return [];
    if (nonResourceURLs.length * verbs.length > this.#comparisonsLeft) return [{ verbs, nonResourceURLs }];
    return nonResourceURLs.flatMap((url) =>
      verbs
        .filter((verb) => !this.#holdsUrl(url, verb))
        .map((verb) => ({ verbs: [verb], nonResourceURLs: [url] })),
    );
  }

  #holdsUrl(url: string, verb: string): boolean {
    return this.#withUrls.some((held) => {
      this.#comparisonsLeft -= held.urls.length;
      return (
        this.#comparisonsLeft >= 0 && has(held.verbs, verb) && held.urls.some((path) => coversUrl(path, url))
      );
    });
  }
}

function resourcePatterns(resource: string): readonly string[] {
  const slash = resource.indexOf("/");
  return slash < 0 ? [resource, "*"] : [resource, `*${resource.slice(slash)}`, "*"];
}

function coversUrl(held: string, url: string): boolean {
  return held === url || (held.endsWith("*") && url.startsWith(pathPrefix(held)));
}

function has(texts: ReadonlySet<string>, text: string): boolean {
  return texts.has("*") || texts.has(text);
}

function hasAll(texts: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return texts.has("*") || wanted.every((text) => texts.has(text));
}

/** Merges rules for one resource of one group, or for one of its names, that differ only in their verbs. */
function putTogether(rules: readonly PolicyRule[]): PolicyRule[] {
  const others: PolicyRule[] = [];
  const simple = new Map<string, Omit<PolicyRule, "verbs"> & { verbs: Set<string> }>();
  for (const rule of rules) {
    const { apiGroups = [], resources = [], verbs = [], resourceNames = [], nonResourceURLs = [] } = rule;
    const isSimple =
      apiGroups.length === 1 &&
      resources.length === 1 &&
      resourceNames.length <= 1 &&
      nonResourceURLs.length === 0;
    if (!isSimple) {
      others.push(rule);
      continue;
    }
    const key = [...apiGroups, ...resources, ...resourceNames].join("\n");
    const same = simple.get(key);
    if (same === undefined) simple.set(key, { verbs: new Set(verbs), apiGroups, resources, resourceNames });
    else for (const verb of verbs) same.verbs.add(verb);
  }
  return [...others, ...[...simple.values()].map((rule) => ({ ...rule, verbs: [...rule.verbs] }))];
}

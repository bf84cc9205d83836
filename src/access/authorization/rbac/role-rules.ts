import type { AccessInfo } from "../../../apimachinery/requests/authorizer.js";
import { pathPrefix } from "../../../apimachinery/requests/path-prefix.js";
import type { PolicyRule } from "../../../apis/gen/rbac-v1.js";

/** A rule prepared for matching. Source: kube-apiserver 1.23 `pkg/apis/rbac/v1/evaluation_helpers.go`. */
interface ReadyRule {
  readonly verbs: TextSet;
  readonly apiGroups: TextSet;
  /** Undefined: any name. */
  readonly names: ReadonlySet<string> | undefined;
}

/** Values in a rule, where `*` matches any. */
class TextSet {
  readonly #all: boolean;
  readonly #texts: ReadonlySet<string>;

  constructor(texts: readonly string[] = []) {
    this.#texts = new Set(texts);
    this.#all = this.#texts.has("*");
  }

  has(text: string): boolean {
    return this.#all || this.#texts.has(text);
  }
}

/**
 * The rules of one or several roles, indexed by resource, so that rules for other resources cost nothing. `T` identifies where a rule comes
 * from.
 */
export class RuleIndex<T> {
  readonly #byResource = new Map<string, { readonly rule: ReadyRule; readonly from: T }[]>();
  readonly #byUrl = new Map<string, { readonly rule: ReadyRule; readonly from: T }[]>();
  /** URLs that end in `*`. */
  readonly #byUrlPrefix: { readonly prefix: string; readonly rule: ReadyRule; readonly from: T }[] = [];

  add(rules: readonly PolicyRule[], from: T): void {
    for (const rule of rules) {
      const { resources = [], nonResourceURLs = [], resourceNames = [] } = rule;
      const names = resourceNames.length > 0 ? new Set(resourceNames) : undefined;
      const ready = { verbs: new TextSet(rule.verbs), apiGroups: new TextSet(rule.apiGroups), names };
      for (const resource of new Set(resources)) append(this.#byResource, resource, { rule: ready, from });
      for (const url of new Set(nonResourceURLs)) {
        if (url.endsWith("*")) {
          this.#byUrlPrefix.push({ prefix: pathPrefix(url), rule: ready, from });
        } else append(this.#byUrl, url, { rule: ready, from });
      }
    }
  }

  /** The origin of a rule that allows this; undefined when none does. */
  find(info: AccessInfo): T | undefined {
    if (!info.isResourceRequest) return this.#findUrl(info);
    const { resource, subresource } = info;
    if (subresource === "") return this.#findResource(resource, info) ?? this.#findResource("*", info);
    return (
      this.#findResource(`${resource}/${subresource}`, info) ??
      this.#findResource(`*/${subresource}`, info) ??
      this.#findResource("*", info)
    );
  }

  #findResource(pattern: string, { verb, apiGroup, name }: AccessInfo): T | undefined {
    const rules = this.#byResource.get(pattern);
    if (rules === undefined) return undefined;
    for (const { rule, from } of rules) {
      const { verbs, apiGroups, names } = rule;
      if (verbs.has(verb) && apiGroups.has(apiGroup) && (names === undefined || names.has(name))) return from;
    }
    return undefined;
  }

  #findUrl({ verb, path }: AccessInfo): T | undefined {
    const exact = this.#byUrl.get(path)?.find(({ rule }) => rule.verbs.has(verb));
    if (exact !== undefined) return exact.from;
    return this.#byUrlPrefix.find(({ prefix, rule }) => path.startsWith(prefix) && rule.verbs.has(verb))
      ?.from;
  }
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

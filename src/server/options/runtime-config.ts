import type { GroupVersion } from "../../apimachinery/objects/meta.js";
import type { StringMap } from "./key-value-types.js";
import { parseBool } from "./value-types.js";

/** A version that the server could serve, with its group's name in the profile. */
export interface KnownVersion extends GroupVersion {
  readonly resources: readonly string[];
}

export type RuntimeConfigResult =
  | { readonly kind: "ok"; readonly config: RuntimeConfig }
  | { readonly kind: "error"; readonly problem: string };

/** Keys for many versions at once, in the order in which they apply: a later one overrides an earlier one. */
const wideSwitches = [
  ["api/all", /^/],
  ["api/ga", /^v\d+$/],
  ["api/beta", /^v\d+beta\d+$/],
  ["api/alpha", /^v\d+alpha\d+$/],
] as const;

const oldNamesOfCore: ReadonlySet<string> = new Set(["api/v1", "api/legacy"]);

/** Which groups, versions and resources are served, according to `--runtime-config`. */
export class RuntimeConfig {
  /** By wide switch, `group/version` or `group/version/resource`; the core group is empty. */
  readonly #switches: ReadonlyMap<string, boolean>;

  constructor(switches: ReadonlyMap<string, boolean>) {
    this.#switches = switches;
  }

  /**
   * With a resource: whether it is served. Without: whether any of the version is. From strongest to weakest: the
   * resource's own key, its version's key, api/alpha, api/beta, api/ga, api/all, `enabledByDefault`.
   */
  isEnabled(
    { group, version }: GroupVersion,
    resource: string | undefined,
    enabledByDefault: boolean,
  ): boolean {
    const versionKey = `${group}/${version}`;
    const served = this.#switches.get(versionKey) ?? this.#widelyEnabled(version) ?? enabledByDefault;
    if (resource !== undefined) return this.#switches.get(`${versionKey}/${resource}`) ?? served;
    return served || this.#anyResourceEnabled(`${versionKey}/`);
  }

  #widelyEnabled(version: string): boolean | undefined {
    let enabled: boolean | undefined;
    for (const [key, pattern] of wideSwitches) {
      if (pattern.test(version)) enabled = this.#switches.get(key) ?? enabled;
    }
    return enabled;
  }

  #anyResourceEnabled(prefix: string): boolean {
    for (const [key, enabled] of this.#switches) {
      if (enabled && key.startsWith(prefix)) return true;
    }
    return false;
  }
}

/**
 * Applies the pairs of `--runtime-config`. A key without a value means true, except for the wide switches. `api/v1` and `api/legacy` are
 * old names of the core group's `v1`. Source: apiserver `resourceconfig`, which ignores keys of single resources; here they work.
 */
export function createRuntimeConfig(pairs: StringMap, known: readonly KnownVersion[]): RuntimeConfigResult {
  if (pairs.size === 1 && pairs.get("api/all") === "false")
    return failure("invalid key with only api/all=false");
  const switches = new Map<string, boolean>();
  const unknownGroups: string[] = [];
  for (const [key, text] of pairs) {
    const given = readSwitch(key, text, known);
    if ("problem" in given) return failure(given.problem);
    if ("unknownGroup" in given) unknownGroups.push(given.unknownGroup);
    // The current key wins over its old names, whatever their order.
    else if (!oldNamesOfCore.has(key) || !pairs.has("v1")) switches.set(given.key, given.value);
  }
  if (unknownGroups.length > 0) return failure(`unknown api groups ${unknownGroups.join(",")}`);
  return { kind: "ok", config: new RuntimeConfig(switches) };
}

/** `key` is as in `RuntimeConfig`. */
type Switch =
  | { readonly key: string; readonly value: boolean }
  | { readonly unknownGroup: string }
  | { readonly problem: string };

function readSwitch(key: string, text: string, known: readonly KnownVersion[]): Switch {
  if (wideSwitches.some(([name]) => name === key)) {
    if (text !== "true" && text !== "false") return { problem: `invalid value ${key}=${text}` };
    return { key, value: text === "true" };
  }
  const parsed = text === "" ? { value: true } : parseBool(text);
  if ("problem" in parsed) return { problem: `invalid value of ${key}: ${text}, expected true or false` };
  const { value } = parsed;
  const target = parseKey(key);
  if (target === undefined) return { problem: `invalid key ${key}` };
  const { group, version, resource } = target;
  const ofGroup = known.filter((candidate) => candidate.group === group);
  if (ofGroup.length === 0) return { unknownGroup: group };
  const match = ofGroup.find((candidate) => candidate.version === version);
  if (match === undefined) return { problem: `group version ${key} that has not been registered` };
  if (resource === undefined) return { key: `${group}/${version}`, value };
  if (!match.resources.includes(resource))
    return { problem: `${group}/${version} has no resource ${resource}` };
  return { key: `${group}/${version}/${resource}`, value };
}

function failure(problem: string): RuntimeConfigResult {
  return { kind: "error", problem };
}

interface Target extends GroupVersion {
  readonly resource: string | undefined;
}

function parseKey(key: string): Target | undefined {
  if (key === "v1" || oldNamesOfCore.has(key)) return { group: "", version: "v1", resource: undefined };
  const [first = "", version = "", resource, ...rest] = key.replace(/^api\/v1\//, "v1/").split("/");
  if (first === "v1" && resource === undefined && version !== "") {
    return { group: "", version: "v1", resource: version };
  }
  if (rest.length > 0 || version === "" || resource === "" || (first === "" && resource === undefined)) {
    return undefined;
  }
  return { group: first, version, resource };
}

import { readFileSync } from "node:fs";
import {
  type ApiLevel,
  hasLevel,
  isAtLeast,
  type LevelRange,
  oldestLevel,
} from "../../src/apimachinery/levels/api-level.js";

/** A resource in one version, as Kubernetes has it. */
export interface LevelResource extends LevelRange {
  /** `apps/v1/deployments`, with the neutral name of the group. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: all. */
  readonly verbs?: string;
  readonly subresources?: Readonly<Record<string, LevelSubresource>>;
  /** At every level, unless it says never or from which level on. */
  readonly servedByDefault?: false | ApiLevel;
}

export interface LevelSubresource {
  readonly kind: string;
  readonly verbs: string;
  readonly group?: string;
  readonly version?: string;
  readonly since?: ApiLevel;
  readonly until?: ApiLevel;
}

interface Facts {
  readonly resources: readonly LevelResource[];
  /** By `apps/deployments`: the version, or the version since each level at which it changes. */
  readonly storageVersions: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

// The file is written for these types.
const facts = JSON.parse(readFileSync(new URL("level-resources.json", import.meta.url), "utf8")) as Facts;

export function resourcesAt(level: ApiLevel): readonly LevelResource[] {
  return facts.resources.filter((resource) => hasLevel(resource, level));
}

export function isServedByDefault(
  { servedByDefault = oldestLevel }: LevelResource,
  level: ApiLevel,
): boolean {
  return servedByDefault !== false && isAtLeast(level, servedByDefault);
}

/** By `apps/deployments`. */
export function storageVersionsAt(level: ApiLevel): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(facts.storageVersions).flatMap(([resource, versions]): [string, string][] => {
      if (typeof versions === "string") return [[resource, versions]];
      const reached = Object.entries(versions).filter(([since]) => isAtLeast(level, since as ApiLevel));
      const [, newest] = reached.at(-1) ?? [];
      return newest === undefined ? [] : [[resource, newest]];
    }),
  );
}

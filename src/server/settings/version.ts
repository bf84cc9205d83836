import {
  type ApiLevel,
  apiLevels,
  isApiLevel,
  isAtLeast,
  minorOf,
} from "../../apimachinery/levels/api-level.js";
import { lowestCompatible } from "../options/emulated-version.js";
import type { Options } from "../options/options.js";

/** `v1.23.17`, the last release of the oldest level; of other levels the first: `v1.35.0`. */
export function apiVersionName(level: ApiLevel): string {
  return `v${level}.${level === "1.23" ? 17 : 0}`;
}

/** The API's version in OpenAPI documents: since 1.31, only the level. */
export function documentedVersion(level: ApiLevel): string {
  return isAtLeast(level, "1.31") ? level : apiVersionName(level);
}

export interface BuildInfo {
  /** Version of the package: `0.1.0`. */
  readonly version: string;
  /** The commit, empty when not known. */
  readonly gitCommit: string;
  /** RFC 3339. */
  readonly buildDate: string;
}

/** A server's own level, and the emulated one. */
export interface ServerLevels {
  readonly own: ApiLevel;
  readonly emulated: ApiLevel;
  /** The oldest level that other servers of the cluster may have, at levels that publish it. */
  readonly oldest: ApiLevel | undefined;
}

export function levelsOf({
  apiLevel,
  emulatedVersion,
  minCompatibilityVersion,
}: Pick<Options, "apiLevel" | "emulatedVersion" | "minCompatibilityVersion">): ServerLevels {
  const own = emulatedVersion?.own ?? apiLevel;
  return {
    own,
    emulated: apiLevel,
    oldest: oldestCompatible(own, apiLevel, minCompatibilityVersion?.version),
  };
}

function oldestCompatible(
  own: ApiLevel,
  emulated: ApiLevel,
  given: string | undefined,
): ApiLevel | undefined {
  if (!isAtLeast(own, "1.33")) return undefined;
  if (given !== undefined && isApiLevel(given)) return given;
  const minor = Math.max(minorOf(emulated) - 1, minorOf(lowestCompatible(own)));
  return apiLevels.find((level) => minorOf(level) === minor);
}

/** The answer of `/version`. */
export function versionDocument(build: BuildInfo, levels: ServerLevels) {
  const { own } = levels;
  return {
    major: "1",
    minor: `${minorOf(own)}`,
    ...compatibility(levels),
    gitVersion: gitVersion(build, own),
    gitCommit: build.gitCommit,
    gitTreeState: "clean",
    buildDate: build.buildDate,
    goVersion: `node${process.version}`,
    compiler: "v8",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}

/** `v1.35.0+orch.0.1.0`. */
export function gitVersion(build: BuildInfo, level: ApiLevel): string {
  return `${apiVersionName(level)}+orch.${build.version}`;
}

/** The emulated version, and the oldest one that other servers of the cluster may have. */
function compatibility({ emulated, oldest }: ServerLevels) {
  if (oldest === undefined) return {};
  return {
    emulationMajor: "1",
    emulationMinor: `${minorOf(emulated)}`,
    minCompatibilityMajor: "1",
    minCompatibilityMinor: `${minorOf(oldest)}`,
  };
}

/** Replaced when the bundle is built. */
export const buildInfo: BuildInfo = {
  version: process.env.ORCH_BUILD_VERSION ?? "0.0.0",
  gitCommit: process.env.ORCH_BUILD_COMMIT ?? "",
  buildDate: process.env.ORCH_BUILD_DATE ?? "1970-01-01T00:00:00Z",
};

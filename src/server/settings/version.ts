import { type ApiLevel, isAtLeast, minorOf } from "../../apimachinery/levels/api-level.js";

/** `v1.23.17`, the last release of the oldest level; of others the first: `v1.35.0`. */
export function apiVersionName(level: ApiLevel): string {
  return `v${level}.${level === "1.23" ? 17 : 0}`;
}

export interface BuildInfo {
  /** Version of the package: `0.1.0`. */
  readonly version: string;
  /** The commit, empty when not known. */
  readonly gitCommit: string;
  /** RFC 3339. */
  readonly buildDate: string;
}

/** The answer of `/version`. */
export function versionDocument(build: BuildInfo, level: ApiLevel) {
  return {
    major: "1",
    minor: `${minorOf(level)}`,
    ...compatibility(level),
    gitVersion: gitVersion(build, level),
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

/** The version that is emulated, and the oldest one that other servers of the cluster may have. */
function compatibility(level: ApiLevel) {
  if (!isAtLeast(level, "1.33")) return {};
  return {
    emulationMajor: "1",
    emulationMinor: `${minorOf(level)}`,
    minCompatibilityMajor: "1",
    minCompatibilityMinor: `${minorOf(level) - 1}`,
  };
}

/** Replaced when the bundle is built. */
export const buildInfo: BuildInfo = {
  version: process.env.ORCH_BUILD_VERSION ?? "0.0.0",
  gitCommit: process.env.ORCH_BUILD_COMMIT ?? "",
  buildDate: process.env.ORCH_BUILD_DATE ?? "1970-01-01T00:00:00Z",
};

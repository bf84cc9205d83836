/** The API's version, which clients adapt to, and this program's own. */
export const apiVersionInfo = { major: "1", minor: "23", patch: "17" } as const;

/** `v1.23.17`. */
export const apiVersionName = `v${apiVersionInfo.major}.${apiVersionInfo.minor}.${apiVersionInfo.patch}`;

export interface BuildInfo {
  /** Version of the package: `0.1.0`. */
  readonly version: string;
  /** The commit, empty when not known. */
  readonly gitCommit: string;
  /** RFC 3339. */
  readonly buildDate: string;
}

/** The answer of `/version`. */
export function versionDocument(build: BuildInfo) {
  const { major, minor, patch } = apiVersionInfo;
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.${patch}+orch.${build.version}`,
    gitCommit: build.gitCommit,
    gitTreeState: "clean",
    buildDate: build.buildDate,
    goVersion: `node${process.version}`,
    compiler: "v8",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}

/** Replaced when the bundle is built. */
export const buildInfo: BuildInfo = {
  version: process.env.ORCH_BUILD_VERSION ?? "0.0.0",
  gitCommit: process.env.ORCH_BUILD_COMMIT ?? "",
  buildDate: process.env.ORCH_BUILD_DATE ?? "1970-01-01T00:00:00Z",
};

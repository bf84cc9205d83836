/** From the most permissive to the strictest. */
const levels = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof levels)[number];

/** The minor version of 1.x whose rules apply; "latest" follows the server. */
export type PolicyVersion = number | "latest";

/** The rules of a level, in one version. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

export const wrongLevel = `must be one of ${levels.join(", ")}`;
export const wrongVersion = 'must be "latest" or "v1.x"';

export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

export function parseVersion(text: string): PolicyVersion | undefined {
  if (text === "latest") return text;
  const [, minor] = /^v1\.(0|[1-9][0-9]{0,3})$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** `restricted:v1.22`. */
export function printLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${version === "latest" ? version : `v1.${version}`}`;
}

export function areSame(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

/** The privileged level allows the same in every version. */
export function areEquivalent(a: LevelVersion, b: LevelVersion): boolean {
  return areSame(a, b) || (a.level === "privileged" && b.level === "privileged");
}

export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

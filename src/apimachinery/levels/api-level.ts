/** The minor versions of Kubernetes whose API the server can have, from the oldest to the newest. */
export const apiLevels = [
  "1.23",
  "1.24",
  "1.25",
  "1.26",
  "1.27",
  "1.28",
  "1.29",
  "1.30",
  "1.31",
  "1.32",
  "1.33",
  "1.34",
  "1.35",
  "1.36",
] as const;

/** The version of Kubernetes whose API the server has. */
export type ApiLevel = (typeof apiLevels)[number];

export const oldestLevel: ApiLevel = "1.23";
export const newestLevel: ApiLevel = "1.36";

/** The levels that have something: all of them, unless one of the two is given. */
export interface LevelRange {
  /** The first level that has it. */
  readonly since?: ApiLevel | undefined;
  /** The first level that lacks it. */
  readonly until?: ApiLevel | undefined;
}

export function isApiLevel(text: string): text is ApiLevel {
  return apiLevels.some((level) => level === text);
}

/** `31` of `1.31`. */
export function minorOf(level: ApiLevel): number {
  return Number(level.slice(2));
}

/** Whether `level` is `other` or newer. */
export function isAtLeast(level: ApiLevel, other: ApiLevel): boolean {
  return minorOf(level) >= minorOf(other);
}

export function hasLevel({ since, until }: LevelRange, level: ApiLevel): boolean {
  if (since !== undefined && !isAtLeast(level, since)) return false;
  return until === undefined || !isAtLeast(level, until);
}

/** Ends a sentence that says `level` lacks something. */
export function whyNotAt({ since, until }: LevelRange, level: ApiLevel): string {
  return since !== undefined && !isAtLeast(level, since)
    ? `was added in ${since}`
    : `was removed in ${until}`;
}

/** How attributes differed before a level: declarations state the newest, and these replace them. Undefined removes an attribute. */
export type Before<T> = { readonly [L in ApiLevel]?: { readonly [K in keyof T]?: T[K] | undefined } };

/** The attributes of `newest` as they are at `level`. */
export function atLevel<T extends object>(newest: T, before: Before<T> | undefined, level: ApiLevel): T {
  if (before === undefined) return newest;
  let result = newest;
  // From the newest change to the oldest: each one undoes what came with its level.
  for (const changedAt of [...apiLevels].reverse()) {
    const attributes = before[changedAt];
    if (attributes === undefined || isAtLeast(level, changedAt)) continue;
    const all = Object.entries({ ...result, ...attributes }).filter(([, value]) => value !== undefined);
    // Safe because `before` names only attributes of T, and removes only optional ones.
    result = Object.fromEntries(all) as T;
  }
  return result;
}

import { addToList } from "../collections/groups.js";
import { type ApiLevel, apiLevels, isAtLeast, minorOf } from "../levels/api-level.js";
import { accessFunctions, selectorFunctions } from "./cel-access-functions.js";
import { formatFunctions } from "./cel-format-functions.js";
import type { CelFunction } from "./cel-function.js";
import { baseFunctions, dynamicFunctions, matchesFunctions, mixedComparisons } from "./cel-functions.js";
import { ipFunctions } from "./cel-ip-functions.js";
import { listFunctions } from "./cel-list-functions.js";
import { optionalFunctions, optionalListFunctions } from "./cel-optional-functions.js";
import { patchFunctions } from "./cel-patch-functions.js";
import { quantityFunctions, quantityReaders } from "./cel-quantity-functions.js";
import { semverFunctions } from "./cel-semver-functions.js";
import { setFunctions } from "./cel-set-functions.js";
import { indexFunctions, newerStrings } from "./cel-string-functions.js";

/** What expressions may use. */
export interface EnvironmentChoice {
  readonly level: ApiLevel;
  /** Stored expressions may use everything that the level has; new ones only what every server of the cluster supports. */
  readonly isStored: boolean;
  /** The oldest level among the cluster's servers. Default: the level before `level`. */
  readonly oldestLevel?: ApiLevel | undefined;
  /** For rules of custom resources, for admission, for policies that change objects, or for choosing devices. */
  readonly purpose: "rules" | "admission" | "mutation" | "devices";
  /** Whether authorization checks may have label and field selectors. */
  readonly hasSelectors?: boolean | undefined;
}

interface Library {
  readonly since: ApiLevel;
  /** The first server level with this library, where expressions of older levels may use it too. */
  readonly sinceServer?: ApiLevel;
  /** The first server level that replaces this library with another version. */
  readonly untilServer?: ApiLevel;
  readonly functions: () => readonly CelFunction[];
  readonly for?: readonly EnvironmentChoice["purpose"][];
  readonly needsSelectors?: boolean;
}

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", the table of libraries. */
const libraries: readonly Library[] = [
  { since: "1.23", functions: baseFunctions },
  { since: "1.23", sinceServer: "1.28", functions: () => matchesFunctions },
  { since: "1.23", untilServer: "1.33", functions: () => dynamicFunctions(false) },
  { since: "1.23", sinceServer: "1.33", functions: () => dynamicFunctions(true) },
  { since: "1.23", untilServer: "1.32", functions: () => indexFunctions(false) },
  { since: "1.23", sinceServer: "1.32", functions: () => indexFunctions(true) },
  { since: "1.27", functions: () => accessFunctions, for: ["admission", "mutation"] },
  { since: "1.28", functions: () => [...mixedComparisons, ...quantityFunctions, ...optionalFunctions] },
  { since: "1.28", untilServer: "1.30", functions: () => quantityReaders(false) },
  { since: "1.28", sinceServer: "1.30", functions: () => quantityReaders(true) },
  { since: "1.28", sinceServer: "1.33", functions: () => optionalListFunctions },
  { since: "1.29", functions: () => [...newerStrings, ...setFunctions] },
  { since: "1.30", functions: () => ipFunctions },
  { since: "1.31", functions: () => formatFunctions },
  {
    since: "1.31",
    functions: () => selectorFunctions,
    for: ["admission", "mutation"],
    needsSelectors: true,
  },
  { since: "1.23", functions: () => patchFunctions, for: ["mutation"] },
  { since: "1.30", functions: () => semverFunctions, for: ["devices"] },
  { since: "1.33", functions: () => semverFunctions, for: ["rules", "admission", "mutation"] },
  { since: "1.34", functions: () => listFunctions },
];

/** Functions of optional values that the compiler has, because they do not need their argument. */
const optionalOperators: ReadonlySet<string> = new Set(["or", "orValue"]);

/** Below this level new expressions may use all that their level knows. */
const firstLevelWithEarlierLibraries = "1.28";
/** The first expressions about devices may use all that their level knows. */
const firstLevelWithEarlierDevices = "1.32";

/** The functions and macros that an expression may use. */
export class CelEnvironment {
  readonly hasOptionals: boolean;
  readonly hasTwoVariableMacros: boolean;
  /** Whether fields with the names of reserved words are selected without underscores: `self.namespace`. */
  readonly hasKeywordFields: boolean;
  /** Whether expressions may make objects: `Object{spec: Object.spec{}}`. */
  readonly hasObjectLiterals: boolean;
  /** Whether expressions may name a value: `cel.bind(name, value, expression)`. */
  readonly hasBindings: boolean;
  /** Whether literal durations, times and patterns must be valid. */
  readonly checksLiterals: boolean;
  /** Whether literal templates of `format` are checked against literal arguments. */
  readonly checksFormats: boolean;
  /** Whether all entries of a literal must have the same type: a dynamic entry does not fit among typed ones. */
  readonly hasStrictLiterals: boolean;
  /** Whether `null` may be the left side of a comparison: `null == self.spec`. */
  readonly allowsNullOnLeft: boolean;
  /** Whether `in` with a literal list is false, not an error, when its left side fails: `self.missing in ['a']`. */
  readonly ignoresErrorsInMembership: boolean;
  /** Whether cost estimates know that the list a macro returns is no longer than its input. */
  readonly estimatesMacroSizes: boolean;
  readonly #libraries: readonly Library[];
  #byName: Map<string, CelFunction[]> | undefined;

  constructor(choice: EnvironmentChoice, libraryLevel: ApiLevel) {
    this.#libraries = libraries.filter(
      ({ since, sinceServer = since, untilServer, for: purposes, needsSelectors }) =>
        isAtLeast(libraryLevel, since) &&
        isAtLeast(choice.level, sinceServer) &&
        (untilServer === undefined || !isAtLeast(choice.level, untilServer)) &&
        (purposes === undefined || purposes.includes(choice.purpose)) &&
        (needsSelectors !== true || choice.hasSelectors === true),
    );
    this.hasOptionals = isAtLeast(libraryLevel, "1.28");
    this.hasTwoVariableMacros = isAtLeast(libraryLevel, "1.32");
    this.hasKeywordFields = isAtLeast(libraryLevel, "1.31");
    this.hasObjectLiterals = choice.purpose === "mutation";
    this.hasBindings = choice.purpose === "devices";
    this.checksFormats = isAtLeast(choice.level, "1.31");
    this.hasStrictLiterals = isAtLeast(choice.level, "1.29");
    this.ignoresErrorsInMembership = isAtLeast(choice.level, "1.24") && !isAtLeast(choice.level, "1.28");
    this.allowsNullOnLeft = isAtLeast(choice.level, "1.29");
    this.estimatesMacroSizes = isAtLeast(choice.level, "1.29");
    this.checksLiterals = isAtLeast(libraryLevel, "1.29") && isAtLeast(choice.level, "1.29");
  }

  /**
   * The overloads of a function, or of a method (its name with a leading dot). Indexed on first use, because most servers never compile
   * an expression.
   */
  functions(name: string): readonly CelFunction[] {
    this.#byName ??= grouped(this.#libraries);
    return this.#byName.get(name) ?? [];
  }

  hasFunction(name: string): boolean {
    if (this.hasOptionals && optionalOperators.has(name)) return true;
    return this.functions(name).length > 0 || this.functions(`.${name}`).length > 0;
  }
}

const kept = new Map<string, CelEnvironment>();

/** The environment of a choice; there are few, and each is made once. */
export function celEnvironment(choice: EnvironmentChoice): CelEnvironment {
  const { level, isStored, oldestLevel, purpose, hasSelectors = false } = choice;
  const key = `${level} ${isStored} ${oldestLevel} ${purpose} ${hasSelectors}`;
  let found = kept.get(key);
  if (found === undefined) {
    found = new CelEnvironment(choice, libraryLevel(choice));
    kept.set(key, found);
  }
  return found;
}

function libraryLevel({ level, isStored, oldestLevel, purpose }: EnvironmentChoice): ApiLevel {
  const first = purpose === "devices" ? firstLevelWithEarlierDevices : firstLevelWithEarlierLibraries;
  if (isStored || !isAtLeast(level, first)) return level;
  if (oldestLevel !== undefined) return oldestLevel;
  return apiLevels.find((one) => minorOf(one) === minorOf(level) - 1) ?? level;
}

function grouped(of: readonly Library[]): Map<string, CelFunction[]> {
  const all = new Map<string, CelFunction[]>();
  for (const one of of.flatMap(({ functions }) => functions())) addToList(all, one.name, one);
  return all;
}

/** The environment of stored rules where no level is given. */
export const defaultRules: EnvironmentChoice = { level: "1.31", isStored: true, purpose: "rules" };

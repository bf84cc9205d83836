import { parseArgs } from "node:util";
import {
  type ApiLevel,
  hasLevel,
  isApiLevel,
  type LevelRange,
  whyNotAt,
} from "../../apimachinery/levels/api-level.js";
import {
  createNaming,
  type Naming,
  type ProfileName,
  parseProfileName,
  profileNames,
} from "../../naming/naming.js";
import { brokenRule } from "./combination-rules.js";
import { compatibleLevel, emulatedLevel } from "./emulated-version.js";
import { renderHelp } from "./help.js";
import type { OptionDeclaration, ParseResult } from "./option.js";
import {
  defaultLevel,
  defaultOptions,
  displayName,
  type OptionName,
  type Options,
  optionNamed,
  optionNames,
  optionProperty,
} from "./options.js";
import { closestName } from "./suggestion.js";

export interface ParseContext {
  /** The profile of the command's name; `--api-profile` overrides it. */
  readonly profile: ProfileName;
  /** Width of the terminal for help; 80 when not known. */
  readonly columns?: number | undefined;
}

export type ParsedCommandLine =
  | {
      readonly kind: "run";
      readonly options: Options;
      /** The options given explicitly, so that defaults can be adjusted where explicit values must not. */
      readonly given: ReadonlySet<OptionName>;
    }
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "version"; readonly level: ApiLevel }
  /** One line that names the option; the exit status is 1. */
  | { readonly kind: "error"; readonly message: string };

export type ResolvedOptions =
  | { readonly kind: "ok"; readonly options: Options }
  | { readonly kind: "error"; readonly message: string };

/** Reads the arguments after the command's name, in the manner of pflag: `--name=value`, `--name value`, `-v 4`. */
export function parseOptions(argv: readonly string[], context: ParseContext): ParsedCommandLine {
  const tokens = tokenize(argv);
  const naming = createNaming(wantedProfile(tokens) ?? context.profile);
  const level = wantedLevel(tokens) ?? defaultLevel(naming);
  const names = namesIn(naming);
  const given = new Map<OptionName, unknown>();
  const spelling = new Map<OptionName, string>();
  let previous: Token | undefined;
  for (const token of tokens) {
    if (token.kind === "positional") return error(strayArgument(token.value, previous, names));
    const name = names.get(token.name);
    if (name === undefined) return error(unknownOption(token.rawName, names));
    const option = optionNamed(name);
    if (!hasLevel(option, level)) return error(`${token.rawName}: ${notAtLevel(option, level)}`);
    const text = token.value ?? (option.typeName === "" ? "true" : undefined);
    if (text === undefined) return error(`${token.rawName}: requires a value of type ${option.typeName}`);
    const parsed = option.parse(text, given.get(name), naming, level);
    if ("problem" in parsed) return error(`${token.rawName}: ${parsed.problem}`);
    if (name === "help" && parsed.value === true) {
      return { kind: "help", text: renderHelp(naming, level, context.columns ?? 80) };
    }
    given.set(name, parsed.value);
    spelling.set(name, token.rawName);
    previous = token;
  }
  if (given.get("version") === true) return { kind: "version", level };
  const flag = (name: OptionName): string => spelling.get(name) ?? `--${displayName(name, naming)}`;
  const resolved = resolve(given, level, naming, flag);
  return resolved.kind === "error"
    ? resolved
    : { kind: "run", options: resolved.options, given: new Set(given.keys()) };
}

/**
 * Completes the options of a program that uses the library with the defaults, by the rules of the command line. `spell` returns an
 * option's name for errors.
 */
export function resolveOptions(
  partial: Partial<Options>,
  context: { readonly profile: ProfileName; readonly spell?: ((name: OptionName) => string) | undefined },
): ResolvedOptions {
  const naming = createNaming(partial.apiProfile ?? context.profile);
  const properties = new Set<string>(optionNames().map(optionProperty));
  const unknown = Object.keys(partial).find((property) => !properties.has(property));
  if (unknown !== undefined) return error(`options.${unknown}: unknown option`);
  const flag = context.spell ?? ((name) => `--${displayName(name, naming)}`);
  const level = partial.apiLevel ?? defaultLevel(naming);
  const given = new Map<OptionName, unknown>();
  for (const name of optionNames()) {
    const value = partial[optionProperty(name)];
    if (value === undefined) continue;
    const option = optionNamed(name);
    const isKnown = isApiLevel(level) && hasLevel(option, level);
    const problem = isKnown ? misfit(option, value, naming, level) : undefined;
    if (problem !== undefined) return error(`${flag(name)}: ${problem}`);
    given.set(name, value);
  }
  return resolve(given, level, naming, flag);
}

/** Why the option does not take the value: a program without types may pass anything. */
function misfit(
  option: OptionDeclaration<unknown>,
  value: unknown,
  naming: Naming,
  level: ApiLevel,
): string | undefined {
  const isDuration = option.unit === "Ms";
  const other = isDuration
    ? "not a number of milliseconds"
    : `not a value of type ${option.typeName || "bool"}`;
  if (isDuration && !Number.isFinite(value)) return other;
  let text: unknown;
  try {
    text = option.format(value, naming);
  } catch {
    return other;
  }
  if (typeof text !== "string") return other;
  if (text === "") return undefined;
  const read = option.parse(text, undefined, naming, level);
  if ("problem" in read) return read.problem;
  return typeof read.value === typeof value ? undefined : other;
}

function resolve(
  given: ReadonlyMap<OptionName, unknown>,
  level: ApiLevel,
  naming: Naming,
  flag: (name: OptionName) => string,
): ResolvedOptions {
  const values = [...given].map(([name, value]) => [optionProperty(name), value]);
  // Every value was parsed by the declaration of its own property.
  const options = { ...defaultOptions(naming, level), ...Object.fromEntries(values) } as Options;
  // Checked before the others, which depend on it.
  const badLevel = optionNamed("api-level").check?.(level, flag("api-level"), level);
  if (badLevel !== undefined) return error(badLevel);
  for (const [name, value] of given) {
    const option = optionNamed(name);
    if (!hasLevel(option, level)) return error(`${flag(name)}: ${notAtLevel(option, level)}`);
    const message = option.check?.(value, flag(name), level);
    if (message !== undefined) return error(message);
  }
  const effective = emulating(options);
  if ("problem" in effective) return error(`${flag("emulated-version")}: ${effective.problem}`);
  const { minCompatibilityVersion, emulatedVersion, apiLevel } = effective.value;
  const compatible =
    minCompatibilityVersion &&
    compatibleLevel(minCompatibilityVersion, emulatedVersion?.own ?? apiLevel, apiLevel);
  if (compatible !== undefined && "problem" in compatible) {
    return error(`${flag("min-compatibility-version")}: ${compatible.problem}`);
  }
  const message = brokenRule({ options: effective.value, naming, isGiven: (name) => given.has(name), flag });
  return message === undefined ? { kind: "ok", options: effective.value } : error(message);
}

/** The options at the level that the server emulates. */
function emulating(options: Options): ParseResult<Options> {
  const { emulatedVersion, apiLevel: own } = options;
  if (emulatedVersion === undefined || emulatedVersion.own !== undefined) return { value: options };
  const level = emulatedLevel(emulatedVersion, own);
  if ("problem" in level) return level;
  return { value: { ...options, apiLevel: level.value, emulatedVersion: { ...emulatedVersion, own } } };
}

function notAtLevel(option: LevelRange, level: ApiLevel): string {
  return `unknown option at API level ${level}: it ${whyNotAt(option, level)}`;
}

function error(message: string): { readonly kind: "error"; readonly message: string } {
  return { kind: "error", message };
}

type Token =
  | {
      readonly kind: "option";
      readonly name: string;
      readonly rawName: string;
      readonly value: string | undefined;
    }
  | { readonly kind: "positional"; readonly value: string };

function tokenize(argv: readonly string[]): readonly Token[] {
  const { tokens } = parseArgs({
    args: argv.map(withDashes),
    options: tokenizerOptions(),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.flatMap((token): Token[] => {
    if (token.kind === "option-terminator") return [];
    if (token.kind === "positional") return [{ kind: "positional", value: token.value }];
    const { name, rawName, value } = token;
    const isShort = !rawName.startsWith("--");
    return [{ kind: "option", name, rawName, value: isShort ? value?.replace(/^=/, "") : value }];
  });
}

/** Kubernetes accepts `--secure_port` for `--secure-port`. */
function withDashes(argument: string): string {
  return argument.replace(/^--[^=]*/, (name) => name.replaceAll("_", "-"));
}

type TokenizerOption = { type: "boolean" | "string"; short?: string };

/** Accepts every profile's names, because the profile is known only after parsing. */
function tokenizerOptions(): Record<string, TokenizerOption> {
  const options: Record<string, TokenizerOption> = {};
  for (const profile of profileNames) {
    for (const [spelled, name] of namesIn(createNaming(profile))) {
      const { typeName, shorthand } = optionNamed(name);
      if (spelled.length === 1 && spelled === shorthand && name.length > 1) continue;
      options[spelled] = {
        type: typeName === "" ? "boolean" : "string",
        ...(shorthand !== undefined && spelled === name && { short: shorthand }),
      };
    }
  }
  return options;
}

function namesIn(naming: Naming): ReadonlyMap<string, OptionName> {
  const names = new Map<string, OptionName>();
  for (const name of optionNames()) {
    names.set(name, name);
    names.set(displayName(name, naming), name);
  }
  return names;
}

// Profile and level decide how the others are parsed. Their own invalid values have their own message.

function wantedProfile(tokens: readonly Token[]): ProfileName | undefined {
  const wanted = lastValue(tokens, "api-profile");
  return wanted === undefined ? undefined : parseProfileName(wanted);
}

function wantedLevel(tokens: readonly Token[]): ApiLevel | undefined {
  const wanted = lastValue(tokens, "api-level");
  return wanted !== undefined && isApiLevel(wanted) ? wanted : undefined;
}

function lastValue(tokens: readonly Token[], name: OptionName): string | undefined {
  return tokens.findLast((token) => token.kind === "option" && token.name === name)?.value;
}

function unknownOption(rawName: string, names: ReadonlyMap<string, OptionName>): string {
  const closest = rawName.startsWith("--")
    ? (nameInAnotherProfile(rawName.slice(2)) ?? closestName(rawName.slice(2), [...names.keys()]))
    : undefined;
  return `${rawName}: unknown option${closest === undefined ? "" : ` (did you mean --${closest}?)`}`;
}

/** The neutral name of an option that another profile spells `spelled`. */
function nameInAnotherProfile(spelled: string): OptionName | undefined {
  return optionNames().find((name) =>
    profileNames.some((profile) => displayName(name, createNaming(profile)) === spelled),
  );
}

function strayArgument(
  value: string,
  previous: Token | undefined,
  names: ReadonlyMap<string, OptionName>,
): string {
  const stray = `unexpected argument ${JSON.stringify(value)}`;
  if (previous?.kind !== "option" || previous.value !== undefined) return stray;
  const name = names.get(previous.name);
  return name !== undefined && optionNamed(name).typeName === ""
    ? `${previous.rawName}: ${stray} (give a switch its value with "=", as in ${previous.rawName}=${value})`
    : stray;
}

import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { admission } from "./groups/admission.js";
import { audit } from "./groups/audit.js";
import { authentication } from "./groups/authentication.js";
import { authorization } from "./groups/authorization.js";
import { clusterBehaviour } from "./groups/cluster-behaviour.js";
import { health } from "./groups/health.js";
import { lab } from "./groups/lab.js";
import { limits } from "./groups/limits.js";
import { local } from "./groups/local.js";
import { logging } from "./groups/logging.js";
import { serving } from "./groups/serving.js";
import { storage } from "./groups/storage.js";
import { versioning } from "./groups/versioning.js";
import { withoutEffectHere } from "./groups/without-effect.js";
import { type OptionDeclaration, type OptionGroup, propertyName, type ValuesOf } from "./option.js";

const allOptions = {
  ...local.options,
  ...serving.options,
  ...storage.options,
  ...clusterBehaviour.options,
  ...logging.options,
  ...health.options,
  ...authentication.options,
  ...authorization.options,
  ...admission.options,
  ...audit.options,
  ...limits.options,
  ...versioning.options,
  ...lab.options,
  ...withoutEffectHere.options,
};

/** In the order of `--help`. */
export const optionGroups: readonly OptionGroup[] = [
  local,
  serving,
  storage,
  clusterBehaviour,
  logging,
  health,
  authentication,
  authorization,
  admission,
  audit,
  limits,
  versioning,
  lab,
  withoutEffectHere,
];

/** An option's neutral name: `store-servers`. */
export type OptionName = keyof typeof allOptions;

/**
 * The value of every option, given or default, under its name in camel case. Durations are milliseconds and end in `Ms`.
 * An option of type string without a default is undefined when not given or given empty; lists and maps are empty.
 */
export type Options = ValuesOf<typeof allOptions>;

export function optionNamed(name: OptionName): OptionDeclaration<unknown> {
  return allOptions[name];
}

export function optionNames(): readonly OptionName[] {
  // Object.keys gives string[]; these are the keys of the table that OptionName is made from.
  return Object.keys(allOptions) as OptionName[];
}

/** The options of a group, in its order. */
export function optionsOf({
  options,
}: OptionGroup): readonly (readonly [OptionName, OptionDeclaration<unknown>])[] {
  return optionNames().flatMap((name) => {
    const declared = options[name];
    return declared === undefined ? [] : [[name, declared] as const];
  });
}

export function optionProperty(name: OptionName): keyof Options {
  // `propertyName` computes at run time what PropertyName computes in Options' keys.
  return propertyName(name, allOptions[name]) as keyof Options;
}

/** The name under which help and messages show an option in this profile, without dashes. */
export function displayName(name: OptionName, naming: Naming): string {
  return naming.optionAlias(name) ?? name;
}

/** Of a level; without one, of the profile's default level. */
export function defaultOptions(naming: Naming, level: ApiLevel = defaultLevel(naming)): Options {
  const values = optionNames().map((name) => [
    optionProperty(name),
    optionNamed(name).defaultValue(naming, level),
  ]);
  // Each property holds the default of its own declaration, so it has the type that `Options` gives it.
  return Object.fromEntries(values) as Options;
}

export function defaultLevel(naming: Naming): ApiLevel {
  return allOptions["api-level"].defaultValue(naming, oldestLevel);
}

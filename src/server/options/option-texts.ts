import { hasLevel } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { displayName, type Options, optionNamed, optionNames, optionProperty } from "./options.js";

/**
 * The value of every option of the level, as written after `--name=`, sorted by name. None is a secret, because secrets are read from
 * files.
 */
export function optionTexts(options: Options, naming: Naming): Readonly<Record<string, string>> {
  const texts = optionNames().flatMap((name): [string, string][] => {
    const option = optionNamed(name);
    const value = options[optionProperty(name)];
    if (!hasLevel(option, options.apiLevel)) return [];
    return [[displayName(name, naming), value === undefined ? "" : option.format(value, naming)]];
  });
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

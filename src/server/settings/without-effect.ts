import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { gatesWithoutEffect } from "../options/feature-gates.js";
import { displayName, type OptionName, type Options, optionNamed } from "../options/options.js";

/** The given options and gates that have no effect on this server; empty when there are none. */
export function givenWithoutEffect(parts: {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
}): readonly string[] {
  const { options, given, naming } = parts;
  return [
    ...[...given]
      .filter((name) => optionNamed(name).withoutEffect === true)
      .map((name) => `--${displayName(name, naming)}`),
    ...gatesWithoutEffect(options.featureGates).map((gate) => naming.featureGate(gate)),
  ];
}

/** The given options that will soon be removed. */
export function givenDeprecated(parts: {
  readonly options: Options;
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
}): readonly string[] {
  const { options, given, naming } = parts;
  return [...given].flatMap((name) => {
    const { deprecatedSince, until } = optionNamed(name);
    if (deprecatedSince === undefined || !isAtLeast(options.apiLevel, deprecatedSince)) return [];
    const end = until === undefined ? "" : ` and is gone at API level ${until}`;
    return [`Flag --${displayName(name, naming)} has been deprecated${end}`];
  });
}

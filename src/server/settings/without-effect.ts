import type { Naming } from "../../naming/naming.js";
import { gatesWithoutEffect } from "../options/feature-gates.js";
import { displayName, type OptionName, type Options, optionNamed } from "../options/options.js";

/** The given options, and gates among them, from which nothing follows on this server; empty when there are none. */
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

import type { Naming } from "../../naming/naming.js";
import type { OptionName, Options } from "./options.js";

export interface RuleContext {
  readonly options: Options;
  readonly naming: Naming;
  /** Whether the user set the option, even to its default. */
  readonly isGiven: (name: OptionName) => boolean;
  /** The option as the user wrote it, or as help shows it: `--tls-cert-file`. */
  readonly flag: (name: OptionName) => string;
}

/** A condition between options: a message that begins with the option to change; undefined when the rule holds. */
export type CombinationRule = (context: RuleContext) => string | undefined;

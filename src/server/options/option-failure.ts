import { readFile } from "node:fs/promises";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Naming } from "../../naming/naming.js";
import { displayName, type OptionName } from "./options.js";

/**
 * An option that could not be applied. The message names it as on the command line; programs that use the library know it by another
 * name.
 */
export class OptionFailure extends Error {
  readonly option: OptionName;
  readonly reason: string;

  constructor(option: OptionName, reason: string, { naming, cause }: { naming: Naming; cause?: unknown }) {
    super(`--${displayName(option, naming)}: ${reason}`, { cause });
    this.name = "Error";
    this.option = option;
    this.reason = reason;
  }
}

/** Runs the work for an option. If it fails, for example because a file is missing, rejects with an `OptionFailure`. */
export async function forOption<T>(
  name: OptionName,
  naming: Naming,
  work: () => T | PromiseLike<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = messageOf(error);
    throw new OptionFailure(name, reason, { naming, cause: error });
  }
}

/** The text of the file that an option names, undefined when the option is not set. */
export async function readFileOfOption(
  name: OptionName,
  file: string | undefined,
  naming: Naming,
): Promise<string | undefined> {
  return file === undefined ? undefined : await forOption(name, naming, () => readFile(file, "utf8"));
}

import { readFile } from "node:fs/promises";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Naming } from "../../naming/naming.js";
import { displayName, type OptionName } from "./options.js";

/** An option could not be honoured. The message names the option as on the command line; a program knows it by another name. */
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

/** Does what an option asks for. When that fails, as with a missing file, the error is an `OptionFailure`. */
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

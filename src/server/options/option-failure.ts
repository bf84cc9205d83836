import { readFile } from "node:fs/promises";
import type { Naming } from "../../naming/naming.js";
import { displayName, type OptionName } from "./options.js";

/** Performs what an option asks for. When that fails, as with a missing file, the error names the option. */
export async function forOption<T>(
  name: OptionName,
  naming: Naming,
  work: () => T | PromiseLike<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`--${displayName(name, naming)}: ${reason}`, { cause: error });
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

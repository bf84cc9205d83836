import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Naming } from "../../naming/naming.js";

/** What a command sees of its process. */
export interface CommandEnvironment {
  readonly naming: Naming;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: (text: string | Uint8Array) => void;
  readonly stderr: (text: string) => void;
  /** Where clients look for their configuration; unset or empty: nowhere. */
  readonly kubeconfig?: string | undefined;
}

/** Resolves with the exit status of a command. If it fails, its reason is one line on stderr. */
export async function exitStatus(
  { stderr }: Pick<CommandEnvironment, "stderr">,
  command: () => Promise<number>,
  ofFailure = 1,
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    stderr(`error: ${messageOf(error)}\n`);
    return ofFailure;
  }
}

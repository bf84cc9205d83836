import { spawn } from "node:child_process";
import { once } from "node:events";

/** Set in the child processes. */
const flag = "ORCH_STORE_PROCESS";
const commands: readonly (string | undefined)[] = ["backup", "restore", "check"];

/**
 * Whether a `store` command maps a data file into memory. LMDB trusts what it maps: damaged pages may crash the process with a signal,
 * without a message.
 */
export function needsGuard(argv: readonly string[]): boolean {
  return commands.includes(argv[0]) && process.env[flag] === undefined;
}

/** Runs the command in a child process and resolves with its exit status, 1 when a signal ended it. */
export async function runGuarded(argv: readonly string[], stderr: (text: string) => void): Promise<number> {
  const program = process.argv.slice(1, 2);
  const child = spawn(process.execPath, [...process.execArgv, ...program, "store", ...argv], {
    stdio: "inherit",
    env: { ...process.env, [flag]: "1" },
  });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.once("SIGTERM", forward);
  process.once("SIGINT", forward);
  await once(child, "exit");
  const { exitCode, signalCode: signal } = child;
  if (signal === "SIGBUS" || signal === "SIGSEGV" || signal === "SIGABRT") {
    stderr(`error: the data file is damaged: reading it ended with ${signal}\n`);
  }
  return exitCode ?? 1;
}

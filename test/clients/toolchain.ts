import { execFile, execFileSync } from "node:child_process";

export type Command = readonly string[];

export function isInstalled([command = "", ...args]: Command): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Resolves with what a command prints; rejects with that and with its complaints. */
export function execute(
  [command = "", ...args]: Command,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

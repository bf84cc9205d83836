import { fileURLToPath } from "node:url";
import { createNaming, type ProfileName, profileOfCommand } from "./naming/naming.js";
import { isLabCommand, type LabCommand } from "./server/commands/lab-commands.js";
import { runServer } from "./server/commands/run-server.js";
import { parseOptions } from "./server/options/parse-options.js";
import { buildInfo, gitVersion } from "./server/settings/version.js";

/** Runs the command of this name with the arguments of the process. The two commands are one program: the name decides the profile. */
export async function main(name: string): Promise<void> {
  const profile = profileOfCommand(name);
  const [command, ...rest] = process.argv.slice(2);
  if (command === "store") await storeCommand(profile, rest);
  else if (command === "kubeconfig") await kubeconfigCommand(profile, rest);
  else if (command === "replay") await replayCommand(profile, rest);
  else if (isLabCommand(command)) await labCommand(profile, command, rest);
  else if (command === "envtest-assets") await envtestAssetsCommand(profile, rest);
  else await serve(profile);
}

async function serve(profile: ProfileName): Promise<void> {
  const parsed = parseOptions(process.argv.slice(2), { profile, columns: process.stdout.columns });
  switch (parsed.kind) {
    case "help":
      process.stdout.write(parsed.text);
      break;
    case "version":
      process.stdout.write(`${gitVersion(buildInfo, parsed.level)}\n`);
      break;
    case "error":
      process.stderr.write(`error: ${parsed.message}\n`);
      process.exitCode = 1;
      break;
    case "run":
      // Files without their own mode are readable only by their owner.
      process.umask(0o077);
      await runServer({
        options: parsed.options,
        given: parsed.given,
        naming: createNaming(parsed.options.apiProfile),
      });
      break;
  }
}

async function storeCommand(profile: ProfileName, argv: readonly string[]): Promise<void> {
  const { needsGuard, runGuarded } = await import("./server/store-commands/guarded-process.js");
  if (needsGuard(argv)) {
    process.exitCode = await runGuarded(argv, (text) => void process.stderr.write(text));
    return;
  }
  const { runStoreCommand } = await import("./server/store-commands/store-command.js");
  // Output files are readable only by their owner, because stores hold secrets.
  process.umask(0o077);
  process.exitCode = await runStoreCommand(argv, {
    naming: createNaming(profile),
    stdin: process.stdin,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
  });
}

async function kubeconfigCommand(profile: ProfileName, argv: readonly string[]): Promise<void> {
  const { runKubeconfigCommand } = await import("./server/commands/kubeconfig-command.js");
  process.exitCode = await runKubeconfigCommand(argv, {
    naming: createNaming(profile),
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    now: Date.now,
  });
}

async function labCommand(profile: ProfileName, name: LabCommand, argv: readonly string[]): Promise<void> {
  const { runLabCommand } = await import("./server/commands/lab-command.js");
  process.exitCode = await runLabCommand(name, argv, {
    naming: createNaming(profile),
    kubeconfig: process.env.KUBECONFIG,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
  });
}

async function replayCommand(profile: ProfileName, argv: readonly string[]): Promise<void> {
  const { runReplayCommand } = await import("./server/commands/replay-command.js");
  process.exitCode = await runReplayCommand(argv, {
    naming: createNaming(profile),
    kubeconfig: process.env.KUBECONFIG,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
  });
}

async function envtestAssetsCommand(profile: ProfileName, argv: readonly string[]): Promise<void> {
  const { runEnvtestAssetsCommand } = await import("./server/commands/envtest-assets-command.js");
  process.exitCode = await runEnvtestAssetsCommand(argv, {
    naming: createNaming(profile),
    programs: fileURLToPath(new URL("../bin/envtest", import.meta.url)),
    runtime: process.execPath,
    searchPath: process.env.PATH ?? "",
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
  });
}

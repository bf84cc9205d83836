import { fileURLToPath } from "node:url";
import { createNaming, type ProfileName, profileOfCommand } from "./naming/naming.js";
import { labCommands } from "./server/commands/lab-commands.js";
import { runServer } from "./server/commands/run-server.js";
import { parseOptions } from "./server/options/parse-options.js";
import type { CommandEnvironment } from "./server/settings/command-environment.js";
import { buildInfo, gitVersion } from "./server/settings/version.js";

/** Runs the command of this name with the arguments of the process. The two commands are one program: the name decides the profile. */
export async function main(name: string): Promise<void> {
  const profile = profileOfCommand(name);
  const [subcommand = "", ...argv] = process.argv.slice(2);
  const run = subcommands.get(subcommand);
  if (run === undefined) return serve(profile);
  process.exitCode = await run(argv, {
    naming: createNaming(profile),
    // Opened on use.
    get stdin() {
      return process.stdin;
    },
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    kubeconfig: process.env.KUBECONFIG,
  });
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

/** Resolves with the exit status. `argv` holds the arguments after the subcommand. */
type Subcommand = (argv: readonly string[], environment: CommandEnvironment) => Promise<number>;

/** All but the server, each loaded on use. */
const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ["store", storeCommand],
  [
    "kubeconfig",
    async (argv, environment) => {
      const { runKubeconfigCommand } = await import("./server/commands/kubeconfig-command.js");
      return await runKubeconfigCommand(argv, environment);
    },
  ],
  [
    "replay",
    async (argv, environment) => {
      const { runReplayCommand } = await import("./server/commands/replay-command.js");
      return await runReplayCommand(argv, environment);
    },
  ],
  [
    "envtest-assets",
    async (argv, environment) => {
      const { runEnvtestAssetsCommand } = await import("./server/commands/envtest-assets-command.js");
      return await runEnvtestAssetsCommand(argv, environment, {
        programs: fileURLToPath(new URL("../bin/envtest", import.meta.url)),
        runtime: process.execPath,
        searchPath: process.env.PATH ?? "",
      });
    },
  ],
  ...labCommands.map((name): [string, Subcommand] => [
    name,
    async (argv, environment) => {
      const { runLabCommand } = await import("./server/commands/lab-command.js");
      return await runLabCommand(name, argv, environment);
    },
  ]),
]);

async function storeCommand(argv: readonly string[], environment: CommandEnvironment): Promise<number> {
  const { needsGuard, runGuarded } = await import("./server/store-commands/guarded-process.js");
  if (needsGuard(argv)) return await runGuarded(argv, environment.stderr);
  const { runStoreCommand } = await import("./server/store-commands/store-command.js");
  // Output files are readable only by their owner, because stores hold secrets.
  process.umask(0o077);
  return await runStoreCommand(argv, environment);
}

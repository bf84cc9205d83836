import { accessSync, constants, statSync } from "node:fs";
import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type ApiLevel,
  apiLevels,
  isApiLevel,
  newestLevel,
  oldestLevel,
} from "../../apimachinery/levels/api-level.js";
import { makeDirectory } from "../../files/make-directory.js";
import { clientProfile, createNaming, envtestAssetsVariable, type Naming } from "../../naming/naming.js";
import { defaultLevel } from "../options/options.js";
import { type CommandEnvironment, exitStatus } from "../settings/command-environment.js";

export interface EnvtestAssetsPlaces {
  /** The folder of the programs that the assets start. */
  readonly programs: string;
  /** The runtime that runs them. */
  readonly runtime: string;
  readonly searchPath: string;
}

/**
 * `envtest-assets DIR`: writes the programs that controller-runtime's envtest starts, which are this server and a stand-in for its store.
 * `argv` holds the arguments after it. Resolves with the exit status; failures are one line on stderr.
 */
export async function runEnvtestAssetsCommand(
  argv: readonly string[],
  environment: CommandEnvironment,
  places: EnvtestAssetsPlaces,
): Promise<number> {
  return await exitStatus(environment, async () => {
    const end = argv.indexOf("--");
    const { values, positionals } = parseArgs({
      args: argv.slice(0, end < 0 ? undefined : end),
      options: { help: { type: "boolean", short: "h" }, "api-level": { type: "string" } },
      allowPositionals: true,
    });
    const [directory, stray] = positionals;
    if (values.help === true || directory === undefined) {
      environment.stdout(helpOf(environment.naming));
      return values.help === true ? 0 : 1;
    }
    if (stray !== undefined) throw new Error(`unexpected argument ${JSON.stringify(stray)}`);
    const path = resolve(directory);
    const serverOptions = [
      `--api-level=${levelOf(values["api-level"])}`,
      ...(end < 0 ? [] : argv.slice(end + 1)),
    ];
    await writeAssets(path, serverOptions, places);
    environment.stdout(`export ${envtestAssetsVariable}=${quoted(path)}\n`);
    return 0;
  });
}

function levelOf(given: string | undefined): ApiLevel {
  const level = given ?? defaultLevel(createNaming(clientProfile));
  if (isApiLevel(level)) return level;
  throw new Error(
    `--api-level: invalid value ${JSON.stringify(level)}, allowed values: ${apiLevels.join(", ")}`,
  );
}

async function writeAssets(
  directory: string,
  serverOptions: readonly string[],
  { programs, runtime, searchPath }: EnvtestAssetsPlaces,
) {
  const { commandName, storeName } = createNaming(clientProfile);
  makeDirectory(directory, 0o777);
  for (const name of [commandName, storeName]) {
    // Passed at every start, including that with `--help`.
    const options = name === commandName ? serverOptions.map((option) => ` ${quoted(option)}`).join("") : "";
    const file = join(directory, name);
    // The old file may be a link to another program.
    await rm(file, { force: true });
    const program = join(programs, `${name}.mjs`);
    await writeFile(file, `#!/bin/sh\nexec ${quoted(runtime)} ${quoted(program)}${options} "$@"\n`);
    await chmod(file, 0o755);
  }
  const client = programOf(searchPath, directory);
  if (client === undefined) return;
  await rm(join(directory, clientName), { force: true });
  await symlink(client, join(directory, clientName));
}

/** envtest does not need it, but offers it to tests. */
const clientName = "kubectl";

function programOf(searchPath: string, except: string): string | undefined {
  const places = searchPath.split(delimiter).filter((place) => place !== "" && resolve(place) !== except);
  return places.map((place) => join(place, clientName)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Quoted for a shell. */
function quoted(text: string): string {
  return /^[\w./@:+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function helpOf(naming: Naming): string {
  return `Writes the programs that controller-runtime's envtest starts: this server, and a stand-in for its store.

Usage:
  ${naming.commandName} envtest-assets DIR [--api-level=1.N] [-- OPTION...]

Options:
  --api-level LEVEL (default ${defaultLevel(createNaming(clientProfile))})
      Minor version of the API that the server serves, from ${oldestLevel} to ${newestLevel}.
  -- OPTION...
      More options to start the server with, each time.

Then set ${envtestAssetsVariable}, or BinaryAssetsDirectory in envtest.Environment, to the directory.
`;
}

import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import type { ReplayReport } from "../../lab/recording/replay.js";
import type { Naming } from "../../naming/naming.js";
import { replayAs } from "../replay.js";
import { type CommandEnvironment, exitStatus } from "../settings/command-environment.js";
import { connectionHelp, connectionOptions, readClientConfig } from "./connection-options.js";

/** `replay FILE`. Resolves with the exit status: 1 when answers differ, 2 when nothing was compared. */
export async function runReplayCommand(
  argv: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { naming, stdout } = environment;
  const replayed = async (): Promise<number> => {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { ...connectionOptions, server: { type: "string" } },
    });
    if (values.help === true) {
      stdout(helpText(naming));
      return 0;
    }
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error("expected exactly one FILE");
    const config = await readClientConfig(values, environment);
    const server =
      values.server === undefined ? config.server : { ...config.server, url: new URL(values.server) };
    const report = await replayAs(createReadStream(file), { ...config, server });
    stdout(shown(report));
    return report.differences.length === 0 ? 0 : 1;
  };
  return await exitStatus(environment, replayed, 2);
}

function shown({ replayed, skipped, differences }: ReplayReport): string {
  const lines = differences.flatMap(({ line, request, changes }) => [
    `${line}: ${request}`,
    ...changes.map(
      ({ path, before, after }) => `  ${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ),
  ]);
  const summary = `replayed=${replayed} skipped=${skipped} different=${differences.length}`;
  return [...lines, summary].map((line) => `${line}\n`).join("");
}

function helpText(naming: Naming): string {
  return `Sends the requests of a recording (GET /lab/recording/download) to a server, each as the user who sent it, and
shows which responses differ, apart from UIDs, times and resource versions. Exits with 1 when some differ.

Usage:
  ${naming.commandName} replay FILE

${connectionHelp(naming, "Kubeconfig with the credentials of an administrator, who may impersonate users.", serverOption)}`;
}

const serverOption = `  --server URL
      Server to send the requests to, instead of the one in the kubeconfig.
`;

import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { ReplayReport } from "../../lab/recording/replay.js";
import { ClientConfigFile } from "../../remote/client-config.js";
import { defaultOptions } from "../options/options.js";
import { defaultKubeconfigPath } from "../pki/server-pki.js";
import { replayAs } from "../replay.js";
import type { LabCommandParts } from "./lab-command.js";

/** `replay FILE`. Resolves with the exit status: 1 when answers differ, 2 when nothing was compared. */
export async function runReplayCommand(
  argv: readonly string[],
  { naming, kubeconfig, stdout, stderr }: LabCommandParts,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        kubeconfig: { type: "string" },
        "data-dir": { type: "string" },
        server: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    const { dataDir } = defaultOptions(naming);
    if (values.help === true) {
      stdout(helpText(naming.commandName, dataDir));
      return 0;
    }
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error("want: replay FILE");
    const path =
      values.kubeconfig ?? (kubeconfig || undefined) ?? defaultKubeconfigPath(values["data-dir"] ?? dataDir);
    const config = await (await ClientConfigFile.read(path)).current();
    const server =
      values.server === undefined ? config.server : { ...config.server, url: new URL(values.server) };
    const report = await replayAs(await readFile(file, "utf8"), { ...config, server });
    stdout(shown(report));
    return report.differences.length === 0 ? 0 : 1;
  } catch (error) {
    stderr(`error: ${messageOf(error)}\n`);
    return 2;
  }
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

function helpText(commandName: string, dataDir: string): string {
  return `Sends the requests of a recording (GET /lab/recording/download) to a server, each as the user who sent it, and says which answers differ.
Uids, times and versions are left out. Exits with 1 when answers differ.

Usage:
  ${commandName} replay FILE

Options:
  --kubeconfig FILE (default: $KUBECONFIG, then the administrator's of --data-dir)
      Whose credentials to use: those of an administrator, who may impersonate.
  --server URL
      Instead of the server of the client configuration.
  --data-dir DIR (default ${dataDir})
      Of the server.
`;
}

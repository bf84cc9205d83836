import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { Naming } from "../../naming/naming.js";
import { ClientConfigFile } from "../../remote/client-config.js";
import { RemoteClient } from "../../remote/remote-client.js";
import { defaultOptions } from "../options/options.js";
import { defaultKubeconfigPath } from "../pki/server-pki.js";

export interface LabCommandParts {
  readonly naming: Naming;
  /** Where clients look for their configuration; unset or empty: nowhere. */
  readonly kubeconfig: string | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

export type LabCommand = "snapshot" | "clock";

interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Moving the clock waits for all that falls due on the way. */
const callMs = 120_000;
const answerBytesMax = 16 * 1024 * 1024;

/**
 * `snapshot …` and `clock …`: calls of the paths below /lab of a running server. `argv` holds the arguments after the command. Resolves with
 * the exit status; failures are one line on stderr.
 */
export async function runLabCommand(
  command: LabCommand,
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
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true) {
      stdout(helpOf(command, naming));
      return 0;
    }
    const call = command === "snapshot" ? snapshotCall(positionals) : clockCall(positionals);
    const given = values.kubeconfig ?? (kubeconfig || undefined);
    const path = given ?? defaultKubeconfigPath(values["data-dir"] ?? defaultOptions(naming).dataDir);
    stdout(shown(await answerOf(path, call)));
    return 0;
  } catch (error) {
    stderr(`error: ${messageOf(error)}\n`);
    return 1;
  }
}

function snapshotCall([action, name, ...more]: readonly string[]): Call {
  const segment = name === undefined ? "" : encodeURIComponent(name);
  if (more.length > 0) throw new Error(`one argument too many: ${JSON.stringify(more[0])}`);
  if (action === "list" && name === undefined) return { method: "GET", path: "/lab/snapshots" };
  if (action === "create") {
    return {
      method: "POST",
      path: "/lab/snapshots",
      query: name === undefined ? {} : { name },
    };
  }
  if (action === "rewind" && name !== undefined) {
    return { method: "POST", path: `/lab/snapshots/${segment}/rewind` };
  }
  if (action === "delete" && name !== undefined) {
    return { method: "DELETE", path: `/lab/snapshots/${segment}` };
  }
  throw new Error("want one of: create [NAME], list, rewind NAME, delete NAME");
}

function clockCall([action, by, ...more]: readonly string[]): Call {
  if (more.length > 0) throw new Error(`one argument too many: ${JSON.stringify(more[0])}`);
  if (action === "advance" && by !== undefined) {
    return { method: "POST", path: "/lab/clock/advance", query: { by } };
  }
  if (by === undefined) {
    if (action === "show") return { method: "GET", path: "/lab/clock" };
    if (action === "freeze" || action === "resume") return { method: "POST", path: `/lab/clock/${action}` };
  }
  throw new Error("want one of: show, advance DURATION, freeze, resume");
}

async function answerOf(configuration: string, { method, path, query }: Call): Promise<JsonValue> {
  if (!existsSync(configuration)) {
    throw new Error(
      `${configuration}: there is no client configuration: name one with --kubeconfig, or the server's --data-dir`,
    );
  }
  const { server, identity } = await (await ClientConfigFile.read(configuration)).current();
  const client = new RemoteClient({ server, identity });
  try {
    const { status, body } = await client.request({
      method,
      path,
      query,
      headers: { accept: "application/json" },
      body: "",
      timeoutMs: callMs,
      answerBytesMax,
    });
    const text = body.toString("utf8");
    if (status === 404 && !text.startsWith("{")) throw new Error(`${server.url.origin} runs without --lab`);
    const answer: JsonValue = text.startsWith("{") ? JSON.parse(text) : {};
    if (status >= 200 && status < 300) return answer;
    const message = isJsonObject(answer) && typeof answer.message === "string" ? answer.message : text.trim();
    throw new Error(`${server.url.origin} answered ${status}: ${message}`);
  } finally {
    await client.close();
  }
}

/** One line for each item, or for the answer. */
function shown(answer: JsonValue): string {
  const items = isJsonObject(answer) && Array.isArray(answer.items) ? answer.items : [answer];
  return items.map((item) => `${lineOf(item)}\n`).join("");
}

function lineOf(item: JsonValue): string {
  if (!isJsonObject(item)) return JSON.stringify(item);
  return Object.entries(item)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

function helpOf(command: LabCommand, naming: Naming): string {
  const usage =
    command === "snapshot"
      ? `Remembers states of a running server that was started with --lab, and leads it back to them.

Usage:
  ${naming.commandName} snapshot create [NAME]
  ${naming.commandName} snapshot list
  ${naming.commandName} snapshot rewind NAME
  ${naming.commandName} snapshot delete NAME
`
      : `Moves the time of a running server that was started with --lab.

Usage:
  ${naming.commandName} clock show
  ${naming.commandName} clock advance DURATION     (such as 1h30m)
  ${naming.commandName} clock freeze
  ${naming.commandName} clock resume
`;
  return `${usage}
Options:
  --kubeconfig FILE (default: $KUBECONFIG, then the administrator's of --data-dir)
      Whose credentials to use, and for which server.
  --data-dir DIR (default ${defaultOptions(naming).dataDir})
      Of the server.
`;
}

import { parseArgs } from "node:util";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { Naming } from "../../naming/naming.js";
import { type CommandEnvironment, exitStatus } from "../settings/command-environment.js";
import { connectionHelp, connectionOptions, readClientConfig } from "./connection-options.js";
import { clockCall, forkCall, historyCall, snapshotCall } from "./lab-calls.js";
import type { LabCommand } from "./lab-commands.js";
import { type ServerCall, ServerClient } from "./server-client.js";

/** Moving the clock waits for everything that becomes due. */
const callMs = 120_000;

/**
 * `snapshot …`, `clock …`, `fork …` and `history …`: calls of the paths below /lab of a running server. `argv` holds the arguments after
 * the command. Resolves with the exit status; failures are one line on stderr.
 */
export async function runLabCommand(
  command: LabCommand,
  argv: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { naming, stdout } = environment;
  return await exitStatus(environment, async () => {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...connectionOptions,
        namespace: { type: "string", short: "n" },
        undo: { type: "string" },
      },
    });
    if (values.help === true) {
      stdout(helpOf(command, naming));
      return 0;
    }
    const { namespace, undo } = values;
    if (command !== "history" && (namespace !== undefined || undo !== undefined)) {
      throw new Error("--namespace and --undo are options of history");
    }
    const callOf: Record<LabCommand, (client: ServerClient) => ServerCall | Promise<ServerCall>> = {
      snapshot: () => snapshotCall(positionals),
      clock: () => clockCall(positionals),
      fork: () => forkCall(positionals),
      history: (client) => historyCall(positionals, { namespace, undo, client }),
    };
    const client = new ServerClient(await readClientConfig(values, environment), callMs);
    try {
      const answer = await client.answer(await callOf[command](client));
      stdout(command === "history" && undo === undefined ? shownHistory(answer) : shown(answer));
    } finally {
      await client.close();
    }
    return 0;
  });
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

/** A line for each version, and one for each field that it changed. */
function shownHistory(answer: JsonValue): string {
  const versions =
    isJsonObject(answer) && Array.isArray(answer.items) ? answer.items.filter(isJsonObject) : [];
  return versions
    .flatMap(({ version, type, managers, user, changes }) => {
      const by = Array.isArray(managers) && managers.length > 0 ? ` by ${managers.join(", ")}` : "";
      const fields = type === "updated" && Array.isArray(changes) ? changes.filter(isJsonObject) : [];
      return [
        `${String(version)} ${String(type)}${by}${typeof user === "string" ? ` (${user})` : ""}`,
        ...fields.map(
          ({ path, before, after }) => `  ${String(path)}: ${shownValue(before)} -> ${shownValue(after)}`,
        ),
      ];
    })
    .map((line) => `${line}\n`)
    .join("");
}

function shownValue(value: JsonValue | undefined): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

const abouts: Readonly<Record<LabCommand, string>> = {
  snapshot: "Takes snapshots of a running server that was started with --lab, and rewinds it to them.",
  clock: "Moves or stops the clock of a running server that was started with --lab.",
  fork: "Starts more servers, on copies of the store of a running server that was started with --lab.",
  history: `Shows the versions of an object that the store of a server with --lab still holds: what each changed, and
which field managers made the change. With --undo, writes one of them again, as it was.`,
};

const usages: Readonly<Record<LabCommand, readonly string[]>> = {
  snapshot: ["create [NAME]", "list", "rewind NAME", "delete NAME"],
  clock: ["show", "advance DURATION     (such as 1h30m)", "freeze", "resume"],
  fork: ["start [SNAPSHOT]", "list", "stop NAME"],
  history: ["RESOURCE NAME [-n NAMESPACE] [--undo REVISION]"],
};

function helpOf(command: LabCommand, naming: Naming): string {
  const lines = usages[command].map((usage) => `  ${naming.commandName} ${command} ${usage}`);
  return `${abouts[command]}

Usage:
${lines.join("\n")}

${connectionHelp(naming, "Kubeconfig with the server and the credentials to use.", command === "history" ? historyOptions : "")}`;
}

const historyOptions = `  -n, --namespace NAMESPACE (default "default")
      Namespace of the object, if it has one.
  --undo REVISION
      Version to write again.
`;

import type { Naming } from "../../naming/naming.js";
import { defaultOptions } from "../options/options.js";
import type { StoreCommandName } from "./store-command-name.js";

interface CommandHelp {
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
}

/** The output of `store --help`. */
export function storeHelp(naming: Naming): string {
  const entries = Object.values(helpOf(naming)).map(
    ({ usage, summary }) => `  store ${usage.padEnd(22)}${summary}`,
  );
  return `Backs up, restores and checks the embedded store, and converts stored values.

Usage:
  ${naming.commandName} store COMMAND

Commands:
${entries.join("\n")}

"${naming.commandName} store COMMAND --help" describes a command.
`;
}

/** The output of `store COMMAND --help`. */
export function storeCommandHelp(name: StoreCommandName, naming: Naming): string {
  const { usage, summary, details } = helpOf(naming)[name];
  return `${summary}\n\nUsage:\n  ${naming.commandName} store ${usage}\n\n${details}\n`;
}

function helpOf(naming: Naming): Readonly<Record<StoreCommandName, CommandHelp>> {
  const { dataDir, storePrefix } = defaultOptions(naming);
  const dataDirOption = `  --data-dir DIR (default ${dataDir})
      Data directory of the server. The store is in its subdirectory store/.`;
  return {
    backup: {
      usage: "backup FILE",
      summary: "Writes a consistent backup of the embedded store, even while its server runs.",
      details: `The backup is a snapshot of one moment; the server keeps serving. FILE appears once it is complete and on
disk, and is then checked. It contains everything in the store, including secrets, and only its owner can
read it.

Options:
${dataDirOption}`,
    },
    restore: {
      usage: "restore FILE",
      summary: "Creates the embedded store from a backup. There must be no store yet, and no running server.",
      details: `Options:
${dataDirOption}
  --revision-bump N (default 1000000000)
      Number to add to resource versions, so that no client mistakes a new version for one that it saw after
      the backup was made. 0 keeps the versions and the history of the backup.`,
    },
    check: {
      usage: "check [FILE]",
      summary: "Reads a whole embedded store, or a backup, and reports inconsistencies.",
      details: `Exits with 1 when something is wrong. Stop the server before you check its store; while it runs, make a backup
instead, which is checked as well.

Options:
${dataDirOption}
  --api-level 1.N
      Also reports which objects and fields a server of this API level would not show. They stay in the store,
      and do not change the exit status.
  --store-prefix PREFIX (default ${storePrefix})
      Prefix of the keys of all objects, as the server is given it.`,
    },
    decode: {
      usage: "decode [FILE]",
      summary: "Shows a stored value as JSON or YAML. Reads standard input without FILE.",
      details: `Options:
  -o, --output json|yaml (default json)`,
    },
    encode: {
      usage: "encode [FILE]",
      summary: "Converts an object in JSON or YAML to its stored bytes. Reads standard input without FILE.",
      details: `The object is not validated, converted or defaulted, but must have no unknown fields. Custom resources are
always encoded as JSON.

Options:
  --storage-media-type TYPE (default ${naming.protobufMediaType})
      Encoding: application/json or ${naming.protobufMediaType}.`,
    },
  };
}

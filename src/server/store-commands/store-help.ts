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
  return `Backs up, restores and checks the embedded store, and decodes stored values.

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
      The server's: the store is in its subdirectory store/.`;
  return {
    backup: {
      usage: "backup FILE",
      summary: "Writes a consistent copy of the embedded store, whether its server runs or not.",
      details: `The copy is one moment of the store; the server goes on working. FILE appears when it is complete and
on disk, and is checked then. It holds what the store holds, secrets too, and is readable by its owner only.

Options:
${dataDirOption}`,
    },
    restore: {
      usage: "restore FILE",
      summary: "Creates the embedded store from a copy. There must be none yet, and no server running.",
      details: `Options:
${dataDirOption}
  --revision-bump N (default 1000000000)
      How far resource versions jump, so that no client takes new ones for those that it saw after the copy
      was made. 0 keeps the versions and the history of the copy.`,
    },
    check: {
      usage: "check [FILE]",
      summary: "Reads the whole embedded store, or a copy, and reports inconsistencies.",
      details: `The exit status is 1 when something is wrong. A store is checked while its server is stopped; while it runs,
make a copy, which is checked too.

Options:
${dataDirOption}
  --api-level 1.N
      Tells also which objects and fields a server of this API level would not show. They stay in the store. It
      does not change the exit status.
  --store-prefix PREFIX (default ${storePrefix})
      The server's: what the keys of all objects begin with.`,
    },
    decode: {
      usage: "decode [FILE]",
      summary: "Shows a stored value (of standard input when no FILE is given) as JSON or YAML.",
      details: `Options:
  -o, --output json|yaml (default json)`,
    },
    encode: {
      usage: "encode [FILE]",
      summary: "Converts an object in JSON or YAML to its stored bytes.",
      details: `The object is not validated, converted or completed with defaults, but must have no unknown fields. Custom
resources become JSON.

Options:
  --storage-media-type TYPE (default ${naming.protobufMediaType})
      application/json or ${naming.protobufMediaType}.`,
    },
  };
}

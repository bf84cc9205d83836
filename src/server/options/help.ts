import { type ApiLevel, hasLevel } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { describeFeatureGates } from "./feature-gates.js";
import type { OptionDeclaration } from "./option.js";
import { displayName, type OptionName, optionGroups, optionsOf } from "./options.js";

/** The output of `--help` at a level, wrapped to `columns`. */
export function renderHelp(naming: Naming, level: ApiLevel, columns: number): string {
  const width = Math.max(40, columns);
  const groups = optionGroups.map((group) => {
    const entries = optionsOf(group)
      .filter(([, option]) => hasLevel(option, level))
      .map(([name, option]) => renderOption(name, option, { naming, level, width }));
    return `${group.title}:\n\n${entries.join("\n")}`;
  });
  const intro = wrap("Serves the cluster API over HTTPS.", width).join("\n");
  const usage = `Usage:
  ${naming.commandName} [options]
  ${naming.commandName} COMMAND --help    (listed at the end)`;
  return `${[intro, usage, ...groups, commands].join("\n\n")}\n`;
}

const commands = `Commands for the store:

  store backup FILE     Copies the embedded store, even while its server runs.
  store restore FILE    Creates an embedded store from a backup.
  store check [FILE]    Checks an embedded store, or a backup, for damage.
  store decode [FILE]   Shows a stored value as JSON or YAML.
  store encode [FILE]   Converts an object to the bytes that the store keeps.

Command for trying out permissions:

  kubeconfig --user NAME    Prints a kubeconfig for any user or service account.

Command for tests in Go:

  envtest-assets DIR    Writes the programs that controller-runtime's envtest starts.

Commands for a running server with --lab:

  snapshot create|list|rewind|delete    Takes snapshots of the server, and rewinds it to them.
  clock show|advance|freeze|resume      Moves or stops the cluster's clock.
  fork start|list|stop                  Starts more servers on copies of the store.
  history RESOURCE NAME                 Shows the versions of an object, and restores one of them.

Command for regression tests:

  replay FILE    Sends recorded requests to a server, and shows which responses differ.`;

/** `--secure-port int (default 6443)`. */
function optionHeading(
  name: OptionName,
  option: OptionDeclaration<unknown>,
  naming: Naming,
  level: ApiLevel,
): string {
  const spelled = displayName(name, naming);
  const short = option.shorthand === undefined ? "" : `-${option.shorthand}, `;
  const type = option.typeName === "" ? "" : ` ${option.typeName}`;
  const initial = defaultText(option, naming, level);
  return `${short}--${spelled}${type}${initial === "" ? "" : ` (default ${initial})`}`;
}

/** Empty when the default is not worth showing: a disabled switch, an empty list. */
export function defaultText(option: OptionDeclaration<unknown>, naming: Naming, level: ApiLevel): string {
  const value = option.defaultValue(naming, level);
  return value === false ? "" : option.format(value, naming);
}

const indent = "      ";

function renderOption(
  name: OptionName,
  option: OptionDeclaration<unknown>,
  { naming, level, width }: { readonly naming: Naming; readonly level: ApiLevel; readonly width: number },
): string {
  const sentences = option.help;
  const lines = wrap(sentences, width - indent.length);
  if (name === "feature-gates") lines.push(...describeFeatureGates(naming, level).map((gate) => `  ${gate}`));
  return [`  ${optionHeading(name, option, naming, level)}`, ...lines.map((line) => indent + line)].join(
    "\n",
  );
}

/** Breaks at spaces; a word longer than `width` gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

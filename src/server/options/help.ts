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
  ${naming.commandName} COMMAND --help    The commands are listed at the end.`;
  return `${[intro, usage, ...groups, commands].join("\n\n")}\n`;
}

const commands = `Commands for what is stored:

  store backup FILE     Copies the embedded store, whether its server runs or not.
  store restore FILE    Makes an embedded store from a copy.
  store check [FILE]    Looks whether an embedded store, or a copy, is sound.
  store decode [FILE]   Shows a stored value as JSON or YAML.
  store encode [FILE]   Turns an object into the bytes that are stored for it.

Command for trying permissions:

  kubeconfig --user NAME    Prints a client configuration for any user or service account.

Command for tests in Go:

  envtest-assets DIR    Writes the programs that envtest of controller-runtime starts.

Commands for a running server with --lab:

  snapshot create|list|rewind|delete    Remembers states, and leads the server back to them.
  clock show|advance|freeze|resume      Moves the time of the cluster.
  fork start|list|stop                  Starts further servers on copies of the store.
  history RESOURCE NAME                 Shows the versions of an object, and writes one of them again.

Command for regression tests:

  replay FILE    Sends the requests of a recording to a server, and says which answers differ.`;

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

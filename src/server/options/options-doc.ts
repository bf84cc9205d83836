import { apiLevels, type LevelRange, oldestLevel } from "../../apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  featureGateNames,
  gateAt,
} from "../../apimachinery/levels/feature-gates/feature-gates.js";
import { createNaming, type Naming, profileNames } from "../../naming/naming.js";
import { isWithoutEffect } from "./feature-gates.js";
import { defaultText } from "./help.js";
import type { OptionDeclaration, OptionGroup } from "./option.js";
import { displayName, type OptionName, optionGroups, optionsOf } from "./options.js";

/** The text of `docs/options.md`, whose names are those of the first profile. */
export function renderOptionsDoc(): string {
  const namings = profileNames.map(createNaming);
  const [neutral] = namings;
  if (neutral === undefined) throw new Error("there is no profile");
  const gates = featureGateNames.map(
    (name) =>
      `- \`${neutral.featureGate(name)}\`: ${gateHistory(name)}${isWithoutEffect(name) ? ", without effect" : ""}`,
  );
  return [
    introduction,
    ...optionGroups.map((group) => renderGroup(group, namings)),
    `## Feature gates\n\nThe names for \`--feature-gates\`. Each has its stage and default at 1.23, then each API level that changes them. Gates of nodes, controllers, schedulers and proxies have no effect here. \`AllAlpha\` and \`AllBeta\` set all gates of that stage that are not set by name.\n\n${gates.join("\n")}\n`,
  ].join("\n");
}

/** `beta on, 1.29 GA locked, 1.33 gone`; the first entry has no level, if it holds from the first one on. */
function gateHistory(name: FeatureGateName): string {
  const changes: string[] = [];
  let before = "gone";
  for (const level of apiLevels) {
    const state = gateAt(name, level);
    const text =
      state === undefined
        ? "gone"
        : `${state.stage} ${state.locked ? "locked " : ""}${state.default ? "on" : "off"}`;
    if (text !== before) changes.push(level === oldestLevel ? text : `${level} ${text}`);
    before = text;
  }
  return changes.join(", ");
}

const introduction = `# Startup options

<!-- Made by scripts/generate-options-doc.ts from the tables in src/server/options/groups; do not edit. -->

Options are written \`--name=value\` or \`--name value\`. Those without a type are switches: \`--name\` or \`--name=false\`.

| Type | Form |
| --- | --- |
| strings | a comma-separated list; an item that contains a comma is quoted as in CSV; repeating the option adds to the list |
| stringArray | one value, which may contain commas; repeating the option adds to the list |
| duration | \`30s\`, \`5m0s\`, \`1h0m0s\`, \`500ms\`, \`1.5h\` |
| stringToString, mapStringString, mapStringBool | a comma-separated list of \`key=value\`; repeating the option adds to the map |
| key=value | one pair; repeating the option adds to the map |
| portRange | \`N1-N2\`, both ends included |

With an unknown option, an invalid value or an invalid combination, the server does not start: it prints one line that names the option, and
exits with status 1. An option that the API level does not have is unknown. Options without effect, which are accepted only for compatibility, say so below, and the
log says so when they are given.
`;

function renderGroup(group: OptionGroup, namings: readonly Naming[]): string {
  const rows = optionsOf(group).map(([name, option]) => renderRow(name, option, namings));
  return `## ${group.title}\n\n| Option | Type | Default | Meaning |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function renderRow(name: OptionName, option: OptionDeclaration<unknown>, namings: readonly Naming[]): string {
  const spellings = [...new Set(namings.map((naming) => displayName(name, naming)))];
  if (option.shorthand !== undefined && option.shorthand !== name) spellings.push(option.shorthand);
  const names = spellings
    .map((spelling) => `\`${spelling.length === 1 ? "-" : "--"}${spelling}\``)
    .join(", ");
  const defaults = namings.flatMap((naming) => defaultsByLevel(option, naming));
  const help = `${option.help}${levelsOf(option)}`.replaceAll("*", "\\*");
  return `| ${[names, option.typeName, [...new Set(defaults)].join(" or "), help].map(escapeCell).join(" | ")} |`;
}

/** The default of the oldest level, and the later ones that replace it. */
function defaultsByLevel(option: OptionDeclaration<unknown>, naming: Naming): string[] {
  const texts = apiLevels.map((level) => ({ level, text: defaultText(option, naming, level) }));
  return texts
    .filter(({ text }, index) => text !== "" && text !== texts[index - 1]?.text)
    .map(({ level, text }) => `\`${text}\`${level === oldestLevel ? "" : ` from API level ${level} on`}`);
}

function levelsOf({ since, until }: LevelRange): string {
  return [
    since === undefined ? "" : ` From API level ${since} on.`,
    until === undefined ? "" : ` Removed in API level ${until}.`,
  ].join("");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

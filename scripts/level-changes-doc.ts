import { pluginTable } from "../src/admission/plugin-table.js";
import {
  type ApiLevel,
  apiLevels,
  hasLevel,
  type LevelRange,
  oldestLevel,
} from "../src/apimachinery/levels/api-level.js";
import { featureGateNames, gateAt } from "../src/apimachinery/levels/feature-gates/feature-gates.js";
import type { FieldSchema, MessageSchema } from "../src/apimachinery/schema/message-schema.js";
import { builtinResources } from "../src/apis/builtin-resources.js";
import {
  type ResourceDefinition,
  selectableFieldsOf,
  subresourcesOf,
  type VersionDefinition,
} from "../src/apis/definition/resource-definition.js";
import { testApiContext } from "../src/apis/testing/api-context.js";
import { createNaming } from "../src/naming/naming.js";
import { displayName, optionGroups, optionsOf } from "../src/server/options/options.js";
import type { Behaviour } from "./api-levels-doc.js";

/** What a level has, by name, with the details to compare. */
type Facts = ReadonlyMap<string, readonly string[]>;

interface LevelFacts {
  readonly resources: Facts;
  readonly types: ReadonlyMap<string, Facts>;
}

const naming = createNaming("kubernetes");
const factsAt = new Map<ApiLevel, LevelFacts>();

/** Renders docs/levels/1.N.md, the changes of a level, from the declarations and the list of behaviours. */
export function renderLevelChanges(level: ApiLevel, behaviours: readonly Behaviour[]): string {
  const before = levelBefore(level);
  const [old, now] = [factsOf(before), factsOf(level)];
  const sections = [
    section("Resources", changes(old.resources, now.resources)),
    section("Fields", fieldChanges(old.types, now.types)),
    section("Feature gates", changes(gatesAt(before), gatesAt(level))),
    section("Admission plugins", changes(pluginsAt(before), pluginsAt(level))),
    section("Options", changes(optionsAt(before), optionsAt(level))),
    section("Behaviours", behaviourChanges(behaviours, level)),
  ];
  return `# What ${level} changed

<!-- Made by scripts/generate-api-levels.ts from the declarations and docs/api-levels.json; do not edit. -->

Compared with ${before}: \`+\` is new, \`−\` is removed, \`~\` has changed. Types are named by group and version.
${sections.join("")}`;
}

/** All levels but the oldest. */
export const changedLevels: readonly ApiLevel[] = apiLevels.filter((level) => level !== oldestLevel);

function levelBefore(level: ApiLevel): ApiLevel {
  const before = apiLevels[apiLevels.indexOf(level) - 1];
  if (before === undefined) throw new Error(`there is no level before ${level}`);
  return before;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `\n## ${title}\n\n${lines.join("\n")}\n`;
}

function changes(old: Facts, now: Facts): string[] {
  const lines: string[] = [];
  for (const name of namesOf(old, now)) {
    const [was, is] = [old.get(name), now.get(name)];
    if (is === undefined) lines.push(`- − ${name}`);
    else if (was === undefined) lines.push(`- + ${name}${is.length === 0 ? "" : `: ${is.join("; ")}`}`);
    else {
      const added = is.filter((part) => !was.includes(part));
      const removed = was.filter((part) => !is.includes(part));
      if (added.length === 0 && removed.length === 0) continue;
      const before = removed.join("; ");
      const text =
        added.length === 0
          ? `no longer ${before}`
          : `${added.join("; ")}${removed.length === 0 ? "" : ` (was ${before})`}`;
      lines.push(`- ~ ${name}: ${text}`);
    }
  }
  return lines;
}

function namesOf(old: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...old.keys(), ...now.keys()])].sort();
}

function fieldChanges(old: LevelFacts["types"], now: LevelFacts["types"]): string[] {
  const lines: string[] = [];
  const gone = new Map<string, string[]>();
  for (const name of namesOf(old, now)) {
    const [was, is] = [old.get(name), now.get(name)];
    if (is === undefined) {
      const [group = "", type = ""] = name.split(".");
      gone.set(group, [...(gone.get(group) ?? []), type]);
    } else if (was === undefined) lines.push(`- + ${name}: ${[...is.keys()].join(", ")}`);
    else {
      const changed = changes(was, is);
      if (changed.length > 0) lines.push(`- ${name}`, ...changed.map((line) => `  ${line}`));
    }
  }
  return [...lines, ...[...gone].map(([group, types]) => `- − ${group}: ${types.join(", ")}`)];
}

function behaviourChanges(behaviours: readonly Behaviour[], level: ApiLevel): string[] {
  const of = (mark: string, wanted: (range: LevelRange) => boolean) =>
    behaviours
      .filter(wanted)
      .map(({ what, area, status }) => `- ${mark} ${area}: ${what}${status === "done" ? "" : ` (${status})`}`)
      .sort();
  return [...of("+", ({ since }) => since === level), ...of("−", ({ until }) => until === level)];
}

function factsOf(level: ApiLevel): LevelFacts {
  const known = factsAt.get(level);
  if (known !== undefined) return known;
  const definitions = builtinResources(testApiContext({ level }));
  const resources = new Map<string, readonly string[]>();
  const types = new Map<string, Facts>();
  for (const definition of definitions) {
    for (const version of definition.versions) {
      resources.set(resourceName(definition, version), resourceText(definition, version));
      if (version.codec.schema !== undefined) addTypes(version.codec.schema, types);
    }
  }
  const facts = { resources, types };
  factsAt.set(level, facts);
  return facts;
}

function resourceName({ group, resource }: ResourceDefinition, { version }: VersionDefinition): string {
  return `${group === "" ? version : `${group}/${version}`} ${resource}`;
}

function resourceText(definition: ResourceDefinition, version: VersionDefinition): string[] {
  const subresources = subresourcesOf({ definition, version }).map(({ name }) => name);
  const columns = (version.columns ?? definition.columns)?.columns.map(({ name }) => name) ?? [];
  const selectable = selectableFieldsOf({ definition, version });
  return [
    version.featureGate === undefined ? "" : `with ${naming.featureGate(version.featureGate)}`,
    version.enabledByDefault ? "" : "off by default",
    definition.storage?.version === version.version ? "stored" : "",
    subresources.length === 0 ? "" : `subresources ${subresources.sort().join(" ")}`,
    columns.length === 0 ? "" : `columns ${columns.join(", ")}`,
    selectable.length === 0 ? "" : `selectable ${selectable.join(" ")}`,
  ].filter((text) => text !== "");
}

function addTypes(message: MessageSchema, types: Map<string, Facts>): void {
  if (types.has(message.name)) return;
  const fields = new Map<string, readonly string[]>();
  types.set(message.name, fields);
  for (const field of message.fields) {
    fields.set(`\`${field.name}\``, fieldText(field));
    if (field.element.kind === "message") addTypes(field.element.message, types);
  }
}

function fieldText(field: FieldSchema): string[] {
  const keys = field.listMapKeys.length === 0 ? "" : ` by ${field.listMapKeys.join(", ")}`;
  return [
    field.cardinality === "one" ? "" : field.cardinality,
    field.required ? "required" : "",
    field.default === undefined ? "" : `default ${field.default}`,
    field.enum === undefined ? "" : `one of ${field.enum.join(" ")}`,
    field.cardinality === "list" ? `${field.declaredListType ?? "no"} list type${keys}` : "",
    field.featureGate === undefined ? "" : `with ${naming.featureGate(field.featureGate)}`,
  ].filter((text) => text !== "");
}

function gatesAt(level: ApiLevel): Facts {
  return new Map(
    featureGateNames.flatMap((name): [string, readonly string[]][] => {
      const state = gateAt(name, level);
      if (state === undefined) return [];
      const { stage, locked } = state;
      const text = `${stage}, ${locked === true ? "locked " : ""}${state.default ? "on" : "off"}`;
      return [[naming.featureGate(name), [text]]];
    }),
  );
}

function pluginsAt(level: ApiLevel): Facts {
  const plugins = pluginTable.filter((plugin) => hasLevel(plugin, level));
  return new Map(
    plugins.map(({ name, byDefault }) => [name, [byDefault === true ? "on by default" : "off by default"]]),
  );
}

function optionsAt(level: ApiLevel): Facts {
  return new Map(
    optionGroups
      .flatMap(optionsOf)
      .filter(([, option]) => hasLevel(option, level))
      .map(([name]) => [`\`--${displayName(name, naming)}\``, []]),
  );
}

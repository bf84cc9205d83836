import { readFileSync } from "node:fs";
import { type ApiLevel, apiLevels, hasLevel, type LevelRange } from "../src/apimachinery/levels/api-level.js";
import { featureGateNames, gateAt } from "../src/apimachinery/levels/feature-gates/feature-gates.js";
import { builtinResources } from "../src/apis/builtin-resources.js";
import { testApiContext } from "../src/apis/testing/api-context.js";
import { changedLevels } from "./level-changes-doc.js";

export interface Behaviour extends LevelRange {
  readonly id: string;
  readonly area: string;
  /** A sentence for docs/levels that says what clients or operators notice. */
  readonly what: string;
  readonly status: "done" | "missing" | "left out" | "not applicable";
  /** Why the behaviour is left out. */
  readonly reason?: string;
  /** Paths of the test files that cover it at the level before, at its own level and at the newest. */
  readonly tests?: readonly string[];
}

/** Renders docs/api-levels.md from the declarations and from docs/api-levels.json, which is edited by hand. */
export function renderApiLevels(behaviours: readonly Behaviour[]): string {
  const missing = (area: string): string => missingIn(area, behaviours);
  const areas = [...new Set(behaviours.map(({ area }) => area))].sort();
  return `# API levels

\`--api-level=1.N\` chooses the minor version of the API; a program uses [\`level\`](library.md), and can run servers of several levels at once.
The default is 1.35 in the profile \`kubernetes\` and 1.23 in the profile \`orch\`.

A store can be opened at any level. Stored kinds that the level lacks are kept but not served, and the server logs them.
[\`store check --api-level=1.N\`](store-commands.md#before-another-api-level) shows in advance which kinds and fields a level would not show.

The table counts what each level has: kinds, resources (once per API version), fields, feature gates, and other behaviours that clients notice.

| level | kinds | resources | fields | gates | behaviours done | missing | left out |
|---|---:|---:|---:|---:|---:|---:|---:|
${apiLevels.map((level) => row(level, behaviours)).join("\n")}

What each level changed: ${changedLevels.map((level) => `[${level}](levels/${level}.md)`).join(", ")}.

## Behaviours that are missing

${areas.map(missing).join("") || "None.\n\n"}## Behaviours that are left out

${behaviours.map(leftOut).join("")}`
    .trimEnd()
    .concat("\n");
}

export function readBehaviours(): readonly Behaviour[] {
  return JSON.parse(readFileSync("docs/api-levels.json", "utf8"));
}

function row(level: ApiLevel, behaviours: readonly Behaviour[]): string {
  const { kinds, resources, fields } = countsAt(level);
  const gates = featureGateNames.filter((name) => gateAt(name, level) !== undefined).length;
  const ofLevel = behaviours.filter((behaviour) => hasLevel(behaviour, level));
  const count = (status: Behaviour["status"]) => ofLevel.filter((each) => each.status === status).length;
  return `| ${[level, kinds, resources, fields, gates, count("done"), count("missing"), count("left out")].join(" | ")} |`;
}

function countsAt(level: ApiLevel): { kinds: number; resources: number; fields: number } {
  const context = testApiContext({ level });
  const schemas = context.schemas;
  const reached = new Set<string>();
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const { element } of schemas.message(name).fields) {
      if (element.kind === "message") reach(element.message.name);
    }
  };
  const definitions = builtinResources(context);
  const versions = definitions.flatMap(({ versions: all }) => all);
  for (const { codec } of versions) if (codec.schema !== undefined) reach(codec.schema.name);
  return {
    kinds: new Set(definitions.map(({ group, kind }) => `${group}/${kind}`)).size,
    resources: versions.length,
    fields: [...reached].reduce((sum, name) => sum + schemas.message(name).fields.length, 0),
  };
}

function leftOut({ id, since = "1.23", status, reason }: Behaviour): string {
  if (status !== "left out") return "";
  if (reason === undefined) throw new Error(`${id} is left out without a reason`);
  return `- **${id}** (${since}): ${reason}\n`;
}

function missingIn(area: string, behaviours: readonly Behaviour[]): string {
  const missing = behaviours.filter((each) => each.area === area && each.status === "missing");
  if (missing.length === 0) return "";
  const items = missing.map(({ id, since = "1.23", until }) =>
    until === undefined ? `${id} (${since})` : `${id} (${since} until ${until})`,
  );
  return `**${area}:** ${items.join(", ")}.\n\n`;
}

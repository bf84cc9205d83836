import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { apiLevels } from "../../../apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  featureGateNames,
  gateAt,
} from "../../../apimachinery/levels/feature-gates/feature-gates.js";
import { gatesElsewhere } from "../../../apimachinery/levels/feature-gates/gates-elsewhere.js";

/** The gates that some source file names. */
export function gatesAskedFor(): readonly FeatureGateName[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !notAsking.test(path),
  );
  const named = new Set<string>();
  for (const path of files) {
    for (const [, name = ""] of readFileSync(join("src", path), "utf8").matchAll(/"(?=(\w+)")/g))
      named.add(name);
  }
  return featureGateNames.filter((name) => named.has(name));
}

const notAsking = /\.test\.ts$|(^|\/)testing\/|^apis\/gen\/|levels\/feature-gates\/|gates-not-followed\.ts$/;

function isSettable(name: FeatureGateName): boolean {
  return apiLevels.some((level) => {
    const state = gateAt(name, level);
    return state !== undefined && state.locked !== true;
  });
}

const table = "../../apimachinery/levels/feature-gates/feature-gates.js";

/** The text of `gates-not-followed.ts`. */
export function renderGatesNotFollowed(): string {
  const asked = new Set(gatesAskedFor());
  const names = featureGateNames.filter(
    (name) => isSettable(name) && !asked.has(name) && !Object.hasOwn(gatesElsewhere, name),
  );
  return `import type { FeatureGateName } from "${table}";

/**
 * Gates of an API server that can be set at some level, but have no effect here yet: no source file names them. Made by
 * scripts/generate-gates-not-followed.ts; do not edit.
 */
export const gatesNotFollowed: ReadonlySet<FeatureGateName> = new Set<FeatureGateName>([
${names.map((name) => `  "${name}",\n`).join("")}]);
`;
}

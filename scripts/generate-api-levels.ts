/** Writes docs/api-levels.md and docs/levels: `npm run generate`, in the root of the repository. A test fails when they are not current. */
import { mkdirSync, writeFileSync } from "node:fs";
import { readBehaviours, renderApiLevels } from "./api-levels-doc.js";
import { changedLevels, renderLevelChanges } from "./level-changes-doc.js";

const behaviours = readBehaviours();
writeFileSync("docs/api-levels.md", renderApiLevels(behaviours));
mkdirSync("docs/levels", { recursive: true });
for (const level of changedLevels) {
  writeFileSync(`docs/levels/${level}.md`, renderLevelChanges(level, behaviours));
}

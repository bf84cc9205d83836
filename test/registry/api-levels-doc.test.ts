import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBehaviours, renderApiLevels } from "../../scripts/api-levels-doc.js";
import { changedLevels, renderLevelChanges } from "../../scripts/level-changes-doc.js";

const docs = new URL("../../docs/", import.meta.url);
const behaviours = readBehaviours();

test("docs/api-levels.md is current (else: npm run generate)", () => {
  expect(readFileSync(new URL("api-levels.md", docs), "utf8")).toBe(renderApiLevels(behaviours));
});

test.each(changedLevels)("docs/levels/%s.md is current (else: npm run generate)", (level) => {
  const path = new URL(`levels/${level}.md`, docs);
  expect(readFileSync(path, "utf8")).toBe(renderLevelChanges(level, behaviours));
});

test("each behaviour is listed once", () => {
  const ids = behaviours.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

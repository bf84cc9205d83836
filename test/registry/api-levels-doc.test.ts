import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderApiLevels } from "../../scripts/api-levels-doc.js";

const docs = new URL("../../docs/", import.meta.url);
const list = readFileSync(new URL("api-levels.json", docs), "utf8");

test("docs/api-levels.md is current (else: npm run generate)", () => {
  expect(readFileSync(new URL("api-levels.md", docs), "utf8")).toBe(renderApiLevels(list));
});

test("each behaviour is listed once", () => {
  const ids: string[] = JSON.parse(list).map(({ id }: { id: string }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

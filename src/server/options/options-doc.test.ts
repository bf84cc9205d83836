import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderOptionsDoc } from "./options-doc.js";

test("docs/options.md is current (else: npm run generate)", () => {
  const page = readFileSync(new URL("../../../docs/options.md", import.meta.url), "utf8");
  expect(page).toBe(renderOptionsDoc());
});

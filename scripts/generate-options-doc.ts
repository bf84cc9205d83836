/**
 * Writes docs/options.md from the option tables. Run from the project's folder:
 * `npx esbuild scripts/generate-options-doc.ts --bundle --platform=node --format=esm | node --input-type=module -`
 */
import { writeFileSync } from "node:fs";
import { renderOptionsDoc } from "../src/server/options/options-doc.js";

writeFileSync("docs/options.md", renderOptionsDoc());

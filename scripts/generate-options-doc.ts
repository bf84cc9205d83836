/** Writes docs/options.md from the option tables: `npm run generate`, in the root of the repository. A test fails when it is not current. */
import { writeFileSync } from "node:fs";
import { renderOptionsDoc } from "../src/server/options/options-doc.js";

writeFileSync("docs/options.md", renderOptionsDoc());

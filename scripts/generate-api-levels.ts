/** Writes docs/api-levels.md: `npm run generate`, in the root of the repository. A test fails when it is not current. */
import { writeFileSync } from "node:fs";
import { readBehaviours, renderApiLevels } from "./api-levels-doc.js";

writeFileSync("docs/api-levels.md", renderApiLevels(readBehaviours()));

/** Writes the list of feature gates that no source file reads: `npm run generate`. A test fails when it is not current. */
import { writeFileSync } from "node:fs";
import { renderGatesNotFollowed } from "../src/server/options/testing/gates-asked-for.js";

writeFileSync("src/server/options/gates-not-followed.ts", renderGatesNotFollowed());

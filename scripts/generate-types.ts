/**
 * Writes `src/apis/gen/<group>-<version>.ts`, the TypeScript interfaces of the declared types, and removes what
 * is no longer declared: `npm run generate`, in the root of the repository. A test fails when the files are not current.
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateTypeFiles } from "../src/apis/generate-type-files.js";

const folder = join(process.cwd(), "src/apis/gen");
const files = generateTypeFiles();
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) {
  if (!files.has(name)) await rm(join(folder, name));
}
for (const [name, text] of files) await writeFile(join(folder, name), text);

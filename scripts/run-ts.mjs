import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Runs a TypeScript file of this repository: `node scripts/run-ts.mjs FILE`. Node.js 20 cannot do it by itself. */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node scripts/run-ts.mjs FILE");
process.argv.splice(2, 1);
const outfile = resolve(`node_modules/.cache/run-ts/${process.pid}.mjs`);
await build({
  entryPoints: [file],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
process.on("exit", () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);

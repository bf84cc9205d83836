import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** `npm run torture -- [--minutes N] [--seed S] [--store embedded|store3]`: see docs/robustness.md. */
// At this depth the program finds `bin/` where the tests find it.
const outfile = fileURLToPath(new URL("../node_modules/.cache/torture.mjs", import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL("../test/robustness/torture.ts", import.meta.url))],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
await import(pathToFileURL(outfile).href);

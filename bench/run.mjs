import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * `npm run bench [-- NAME ...]`: builds and runs `bench/NAME.bench.ts`, all of them when none is named. Everything stays on
 * 127.0.0.1 and ends by itself. Each benchmark prints a table, and its figures as one line of JSON.
 */
const folder = fileURLToPath(new URL(".", import.meta.url));
// Inside node_modules, so that the bundles find the libraries.
const outdir = join(folder, "../node_modules/.bench");
const all = readdirSync(folder).filter((name) => name.endsWith(".bench.ts"));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(`${name}.bench.ts`));
if (unknown.length > 0) {
  const known = all.map((name) => name.replace(".bench.ts", "")).join(", ");
  console.error(`no benchmark is named ${unknown.join(", ")}; there are: ${known}`);
  process.exit(1);
}

await build({
  entryPoints: [
    ...all,
    "load/load-worker.ts",
    "load/peer-worker.ts",
    "load/bare-peer.ts",
    "load/turn-worker.ts",
    "load/watch-worker.ts",
    "load/event-worker.ts",
    "load/webhook-worker.ts",
    "load/bare-calls.ts",
    "load/extension-worker.ts",
    "load/paced-worker.ts",
    "load/bare-worker.ts",
    "load/sibling-servers.ts",
  ].map((name) => join(folder, name)),
  outdir,
  outbase: folder,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});

let failed = false;
for (const file of all) {
  const name = basename(file, ".bench.ts");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n== ${name}`);
  const run = spawnSync(process.execPath, ["--expose-gc", join(outdir, `${name}.bench.mjs`)], {
    stdio: "inherit",
  });
  failed ||= run.status !== 0;
}
process.exit(failed ? 1 : 0);

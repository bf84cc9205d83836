import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return ""; // built from an archive
  }
}

/** Libraries that carry native code, or are rarely used and found at run time, stay outside of the bundle. */
const external = ["lmdb", "@peculiar/x509", "reflect-metadata"];

await build({
  entryPoints: { main: "src/main.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external,
  sourcemap: "linked",
  minifySyntax: true,
  logLevel: "warning",
  banner: {
    // Libraries inside the bundle that were written for CommonJS ask for `require`.
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  define: {
    "process.env.ORCH_BUILD_VERSION": JSON.stringify(version),
    "process.env.ORCH_BUILD_COMMIT": JSON.stringify(commit()),
    "process.env.ORCH_BUILD_DATE": JSON.stringify(`${new Date().toISOString().slice(0, 19)}Z`),
  },
});

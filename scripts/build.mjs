import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

const common = {
  outdir: "dist",
  bundle: true,
  metafile: true,
  platform: "node",
  target: "node20",
  sourcemap: "linked",
  minifySyntax: true,
  logLevel: "warning",
};
const define = {
  // Beside whichever bundle asks for it.
  "process.env.ORCH_YAML_WORKER": JSON.stringify("./yaml-worker.js"),
  "process.env.ORCH_BUILD_VERSION": JSON.stringify(version),
  "process.env.ORCH_BUILD_COMMIT": JSON.stringify(commit()),
  "process.env.ORCH_BUILD_DATE": JSON.stringify(`${new Date().toISOString().slice(0, 19)}Z`),
};

// What programs import, and what threads run: modules, loaded when they are used.
const modules = await build({
  ...common,
  entryPoints: { index: "src/index.ts", "yaml-worker": "src/apimachinery/yaml/yaml-worker.ts" },
  splitting: true,
  format: "esm",
  // What carries native code, and what does not work as bundled modules.
  external: ["lmdb", "undici", "@peculiar/x509", "reflect-metadata"],
  banner: {
    // Libraries inside the bundle that were written for CommonJS ask for `require`.
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  define,
});

// What the commands run: one script, because V8 can keep what it compiled of a script.
const program = await build({
  ...common,
  entryPoints: { main: "src/main.ts" },
  format: "cjs",
  // Without its comments it is plain ASCII, which V8 keeps, and Node.js reads, at a byte a character.
  minifyWhitespace: true,
  external: ["lmdb", "undici"],
  outExtension: { ".js": ".cjs" },
  // Loaded through `require`, which is faster and needs no more than the script.
  supported: { "dynamic-import": false },
  banner: {
    // What is kept of compiling it names the build it is of: V8 only compares lengths.
    js: `//${randomUUID()}\nconst __bundleUrl = require("node:url").pathToFileURL(__filename).href;`,
  },
  define: { ...define, "import.meta.url": "__bundleUrl" },
});
if (/[^\0-\x7f]/.test(readFileSync("dist/main.cjs", "utf8"))) {
  throw new Error("dist/main.cjs is read as ASCII: write other characters of regular expressions as escapes");
}
// The modules' names tell their contents: those of earlier builds stay behind, as does the compiled code.
const built = new Set([...Object.keys(modules.metafile.outputs), ...Object.keys(program.metafile.outputs)]);
for (const name of readdirSync("dist")) {
  const isStale = /\.js(\.map)?$/.test(name) && !built.has(`dist/${name}`);
  if (isStale || name.endsWith(".cache")) rmSync(`dist/${name}`);
}
try {
  const codeCache = fileURLToPath(new URL("code-cache.mjs", import.meta.url));
  execFileSync(process.execPath, [codeCache], { stdio: "inherit" });
} catch {
  console.warn("The commands will start more slowly: there is no compiled code to start them with.");
}

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildConsole } from "./build-console.mjs";
import { connectionPool, patternEngine, storeEngine } from "./bundle-plugins.mjs";
import { hashOfFiles } from "./hash-of-files.mjs";

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

// Tests build before they run, and usually nothing has changed.
const madeFrom = "dist/made-from";
const inputs = [
  hashOfFiles(["src", "console", "bin", "scripts", "test/support/server-parts.ts", "package-lock.json"]),
  version,
  commit(),
  process.version,
].join(" ");
if (existsSync(madeFrom) && readFileSync(madeFrom, "utf8") === inputs) process.exit();
rmSync(madeFrom, { force: true });

const common = {
  outdir: "dist",
  bundle: true,
  metafile: true,
  platform: "node",
  target: "node20",
  sourcemap: "linked",
  minifySyntax: true,
  // Comments and indentation were a tenth of the package. Without comments the program is plain ASCII, which V8 keeps and Node.js reads as
  // one byte per character.
  minifyWhitespace: true,
  logLevel: "warning",
};
/** Files are found relative to the bundle that loads them; `root` is the path from there to the package's root. */
const definitions = (root) => {
  const files = {
    ORCH_YAML_WORKER: "dist/yaml-worker.js",
    ORCH_TRACING_WORKER: "dist/tracing-worker.js",
    ORCH_LANE_WORKER: "bin/lane-worker.mjs",
    ORCH_READER_WORKER: "bin/reader-worker.mjs",
    ORCH_CONSOLE_ASSETS: "dist/console/",
    ORCH_PREPARED_OBJECTS: "dist/prepared-objects/",
  };
  const values = {
    ORCH_BUILD_VERSION: version,
    ORCH_BUILD_COMMIT: commit(),
    ORCH_BUILD_DATE: `${new Date().toISOString().slice(0, 19)}Z`,
  };
  for (const [name, file] of Object.entries(files)) values[name] = `${root}${file}`;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`process.env.${name}`, JSON.stringify(value)]),
  );
};

// A megabyte, loaded only when requests are traced.
const tracing = ["@opentelemetry/*"];

const modules = {
  ...common,
  splitting: true,
  format: "esm",
  // Packages with native code, and packages that do not work as bundled modules.
  external: ["lmdb", "koffi", "@peculiar/x509", "reflect-metadata", ...tracing],
  banner: {
    // CommonJS libraries inside the bundle call `require`.
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};

// Threads that need only a small part of the program.
const workers = await build({
  ...modules,
  // Mostly libraries, whose names say little in a stack trace: four kilobytes of the package.
  minifyIdentifiers: true,
  entryPoints: {
    "yaml-worker": "src/apimachinery/yaml/yaml-worker.ts",
    "tracing-worker": "src/server/tracing/tracing-worker.ts",
  },
});

// For tests only; not in the package.
const parts = await build({
  ...modules,
  outdir: "dist/testing",
  entryPoints: ["test/support/server-parts.ts"],
  plugins: [connectionPool],
  define: definitions("../../"),
});

/**
 * Creates the objects that every new cluster has, for all levels. This takes some seconds, so it is skipped while the code that creates
 * them is unchanged.
 */
async function prepareObjects() {
  const { outputFiles } = await build({
    entryPoints: ["scripts/bootstrap-at-levels.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  const [{ hash, contents }] = outputFiles;
  const program = new URL("../node_modules/.cache/bootstrap-at-levels.mjs", import.meta.url);
  const folder = "dist/prepared-objects";
  const madeBy = `${folder}/made-by`;
  if (existsSync(madeBy) && readFileSync(madeBy, "utf8") === hash) return;
  mkdirSync(new URL(".", program), { recursive: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(program, contents);
  const { prepareObjects: prepare, profileNames } = await import(program.href);
  for (const profile of profileNames) {
    writeFileSync(`${folder}/${profile}.json`, JSON.stringify(await prepare(profile)));
  }
  writeFileSync(madeBy, hash);
}

// The commands, the library and the threads that serve: one script, because V8 can cache the compiled code of a script.
const program = await build({
  ...common,
  entryPoints: { program: "src/program.ts" },
  format: "cjs",
  external: ["koffi", ...tracing],
  plugins: [patternEngine, connectionPool, storeEngine],
  // Bundled once, whether it is imported or required.
  alias: { re2js: createRequire(import.meta.url).resolve("re2js") },
  outExtension: { ".js": ".cjs" },
  // Loaded through `require`, which is faster and needs only the script.
  supported: { "dynamic-import": false },
  banner: {
    // The identifier ties the code cache to this build: V8 compares only lengths. The script is already a function, because V8 would copy the
    // text to wrap it in one.
    js: `//${randomUUID()}\n(function (require, __filename, module) {const __bundleUrl = require("node:url").pathToFileURL(__filename).href;`,
  },
  footer: { js: "})" },
  define: {
    ...definitions("../"),
    "import.meta.url": "__bundleUrl",
    // lmdb's own encoder, which the store does not use, need not be fast.
    "process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED": JSON.stringify("true"),
  },
});
if (/[^\0-\x7f]/.test(readFileSync("dist/program.cjs", "utf8"))) {
  throw new Error(
    "dist/program.cjs is read as ASCII: write other characters of regular expressions as escapes",
  );
}
await buildConsole();
await prepareObjects();
// Module names contain a hash of their content, so modules of earlier builds and their compiled code would stay behind.
const built = new Set([workers, parts, program].flatMap(({ metafile }) => Object.keys(metafile.outputs)));
for (const folder of ["dist", "dist/testing"]) {
  for (const name of readdirSync(folder)) {
    const isStale = /\.js(\.map)?$/.test(name) && !built.has(`${folder}/${name}`);
    if (isStale || name.endsWith(".cache")) rmSync(`${folder}/${name}`);
  }
}
try {
  const codeCache = fileURLToPath(new URL("code-cache.mjs", import.meta.url));
  execFileSync(process.execPath, [codeCache], { stdio: "inherit" });
  writeFileSync(madeFrom, inputs);
} catch {
  console.warn("Servers will start more slowly: there is no compiled code to start them with.");
}

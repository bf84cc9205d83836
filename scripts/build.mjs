import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildConsole } from "./build-console.mjs";
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
/** Files are found from the bundle that asks for them; `root` is the way from there to the package. */
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

/** Bundles the connection pool of undici, but neither its `fetch`, which the pool needs only for bodies that are forms, nor its parser. */
const connectionPool = {
  name: "connection pool",
  setup({ onResolve }) {
    onResolve({ filter: /\/web\/|-wasm\.js$/ }, ({ path, resolveDir }) => {
      const inside = join(resolveDir, path).replaceAll("\\", "/").split("/node_modules/undici/")[1];
      return inside === undefined ? undefined : { path: `undici/${inside}`, external: true };
    });
  },
};

const modules = {
  ...common,
  splitting: true,
  format: "esm",
  // Packages with native code, and packages that do not work as bundled modules.
  external: ["lmdb", "koffi", "@peculiar/x509", "reflect-metadata", ...tracing],
  banner: {
    // Libraries inside the bundle that were written for CommonJS ask for `require`.
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};

// Threads that need little of the program.
const workers = await build({
  ...modules,
  entryPoints: {
    "yaml-worker": "src/apimachinery/yaml/yaml-worker.ts",
    "tracing-worker": "src/server/tracing/tracing-worker.ts",
  },
});

// For the tests; not in the package.
const parts = await build({
  ...modules,
  outdir: "dist/testing",
  entryPoints: ["test/support/server-parts.ts"],
  plugins: [connectionPool],
  define: definitions("../../"),
});

/** Makes the objects that every cluster has, at all levels. That takes some seconds, so it is done only when what makes them has changed. */
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

/** The sources that compile patterns. */
const usersOfPatterns = /src.(apimachinery|apis).*(pattern|regular-expression)\.ts$/;

/**
 * The engine for patterns is loaded by `createRequire`, because synchronous checks need it and most servers never do. Inside the script it
 * is still loaded on demand, but from V8's code cache.
 */
const patternEngine = {
  name: "pattern engine",
  setup({ onLoad, onEnd }) {
    const asked = new Set();
    onLoad({ filter: usersOfPatterns }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replaceAll('createRequire(import.meta.url)("re2js")', 'require("re2js")');
      // A value of the package: its types do not count.
      if (contents !== source) asked.add(path);
      return { loader: "ts", contents };
    });
    onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.inputs ?? {})) {
        if (!path.startsWith("src/") || !/createRequire\b[^;]*"re2js"/.test(readFileSync(path, "utf8")))
          continue;
        if ([...asked].some((one) => one.replaceAll("\\", "/").endsWith(path))) continue;
        throw new Error(
          `${path} asks for re2js in a way that scripts/build.mjs does not know: it would load slowly`,
        );
      }
      if (asked.size === 0) throw new Error("nothing asks for re2js as scripts/build.mjs expects it");
    });
  },
};

/** The JavaScript of the store's engine, in the form that finds its binary by the name of its own file. */
const engineFile = createRequire(import.meta.url).resolve("lmdb");

/** Bundles the JavaScript of the store's engine; its binary stays in its package. */
const storeEngine = {
  name: "store engine",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lmdb$/ }, () => ({ path: engineFile }));
    onLoad({ filter: /lmdb[\\/]dist[\\/]index\.cjs$/ }, ({ path }) => ({
      // Not a literal, which would name the file of the build.
      contents: `var __filename = require.resolve(["lmdb"][0]);${readFileSync(path, "utf8")}`,
    }));
  },
};

// The commands, the library and the threads that serve: one script, because V8 can cache the compiled code of a script.
const program = await build({
  ...common,
  entryPoints: { program: "src/program.ts" },
  format: "cjs",
  external: ["koffi", ...tracing],
  plugins: [patternEngine, connectionPool, storeEngine],
  // One copy, whether it is imported or required.
  alias: { re2js: createRequire(import.meta.url).resolve("re2js") },
  outExtension: { ".js": ".cjs" },
  // Loaded through `require`, which is faster and needs no more than the script.
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
    // The engine's own encoding, which the store does not use, need not be fast.
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
// Module names contain a hash of their content, so those of earlier builds stay behind, as does their compiled code.
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

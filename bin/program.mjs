import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { ColdStart } from "./cold-start.mjs";
import { isGiven } from "./v8-options.mjs";

export const programFile = fileURLToPath(new URL("../dist/program.cjs", import.meta.url));

/** Length of the program's first line, which names its build: `//` and a UUID. */
const buildNameLength = 38;
/** Length of the header of the cache file: that line, padded to a multiple of 8, as V8 requires. */
const headerLength = 40;

/** Time after which a server has loaded what its start needs, and is idle for a moment. */
export const settledMs = 5_000;

const heapGrowth = "--heap-growing-percent";
const heapGrowthPercent = 40;

/**
 * Loads the script of the commands and the library with the code that V8 compiled in an earlier run. Without that, compiling takes a third
 * to half of the start. The build stores the code for the runtime that builds. V8 accepts only code for its own version, its options (such
 * as memory limits) and its kind of processor: the first start with others stores another file next to it.
 * `run` returns what `src/program.ts` exports. `keepIfNew` stores the compiled code once, if it was not stored before.
 */
export function loadProgram() {
  const cacheFile = `${programFile}.${cachedDataVersionTag()}.cache`;
  const source = readFileSync(programFile, "latin1");
  const build = source.slice(0, buildNameLength).padEnd(headerLength);
  const cachedData = keptCode(cacheFile, build);
  const script = new Script(source, { filename: programFile, cachedData });
  const isCompiled = cachedData !== undefined && script.cachedDataRejected === false;
  const keep = () => {
    // Threads of one process may write the file at the same moment.
    const temporary = `${cacheFile}.${randomUUID()}`;
    writeFileSync(temporary, Buffer.concat([Buffer.from(build), script.createCachedData()]));
    renameSync(temporary, cacheFile);
  };
  const run = () => {
    const module = { exports: {} };
    script.runInThisContext()(createRequire(programFile), programFile, module);
    return module.exports;
  };
  let isKept = isCompiled;
  const keepIfNew = () => {
    if (isKept) return;
    isKept = true;
    try {
      keep();
    } catch {
      // The package may belong to another user: the next start compiles again.
    }
  };
  return { run, keep, keepIfNew, isCompiled, cacheFile };
}

/**
 * V8 lets a heap of 40 MB grow to 150 MB before the next collection. Growth by this percentage of the live objects is enough: a server
 * under load then collects a few times a minute, concurrently with the event loop, and needs 85 MB less.
 */
export function limitHeapGrowth() {
  if (!isGiven(heapGrowth)) setFlagsFromString(`${heapGrowth}=${heapGrowthPercent}`);
}

/** The compiled code in the file; undefined when it has none for this build and runtime. */
function keptCode(file, build) {
  try {
    const kept = readFileSync(file);
    return kept.toString("latin1", 0, headerLength) === build ? kept.subarray(headerLength) : undefined;
  } catch {
    return undefined;
  }
}

export function runCommand(name) {
  if (!existsSync(programFile)) {
    console.error(`${name}: ${programFile} is missing. Build it with "npm run build".`);
    process.exitCode = 1;
    return;
  }
  const { run, keepIfNew } = loadProgram();
  const coldStart = new ColdStart();
  // The start comes first, because V8 accepts compiled code, including that of Node.js' own modules, only with the options it was compiled with.
  run()
    .main(name)
    .then(() => coldStart.begin());
  setTimeout(() => {
    coldStart.pause();
    keepIfNew();
    limitHeapGrowth();
    coldStart.begin();
  }, settledMs).unref();
}

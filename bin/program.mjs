import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { ColdStart } from "./cold-start.mjs";
import { isGiven } from "./v8-options.mjs";

export const programFile = fileURLToPath(new URL("../dist/program.cjs", import.meta.url));

/** The first line of the program names its build: `//` and a UUID. */
const buildNameLength = 38;
/** Precedes the code in its file: the line, padded to a multiple of 8, which V8 requires. */
const headerLength = 40;

/** By then a server has loaded what a start needs, and is idle for a moment. */
export const settledMs = 5_000;

const heapGrowth = "--heap-growing-percent";
const heapGrowthPercent = 40;

/**
 * The script of the commands and the library, with the code that V8 compiled in an earlier run: without it, compiling takes a third to
 * half of the start. The build stores the code for the runtime that builds. V8 accepts only code of its own version and options, such as
 * memory limits, and of the same kind of processor: the first start with others stores its own next to it.
 * `run` returns what `src/program.ts` exports. `keepIfNew` stores code that was not stored before, once.
 */
export function loadProgram() {
  const cacheFile = `${programFile}.${cachedDataVersionTag()}.cache`;
  const source = readFileSync(programFile, "latin1");
  const build = source.slice(0, buildNameLength).padEnd(headerLength);
  const cachedData = keptCode(cacheFile, build);
  const script = new Script(source, { filename: programFile, cachedData });
  const isCompiled = cachedData !== undefined && script.cachedDataRejected === false;
  const keep = () => {
    // Threads of one process may write it at the same moment.
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

/** Undefined when this build has none for this runtime. */
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
    console.error(`${name}: ${programFile} is missing. Make it with "npm run build".`);
    process.exitCode = 1;
    return;
  }
  const { run, keepIfNew } = loadProgram();
  const coldStart = new ColdStart();
  // Not before the start: V8 accepts compiled code, including that of Node.js' own modules, only under the options it was compiled with.
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

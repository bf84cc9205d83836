import { readFileSync, renameSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** The first line of the program names its build: `//` and a UUID. */
const buildNameLength = 38;
/** Before the code in its file: the line, and what makes it a multiple of 8, which V8 wants. */
const headerLength = 40;

/**
 * The commands' program, with what V8 kept of compiling it when it was built: without that, compiling takes a third of the start.
 * V8 itself tells whether the kept code fits the running version of Node.js, and compiles when it does not.
 */
export function loadProgram() {
  const filename = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
  const cacheFile = `${filename}.cache`;
  const source = readFileSync(filename, "latin1");
  const build = source.slice(0, buildNameLength).padEnd(headerLength);
  const script = new Script(Module.wrap(source), { filename, cachedData: keptCode(cacheFile, build) });
  const keep = () => {
    const temporary = `${cacheFile}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([Buffer.from(build), script.createCachedData()]));
    renameSync(temporary, cacheFile);
  };
  const run = () => {
    const module = { exports: {} };
    script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));
  };
  return { run, keep };
}

/** Undefined when there is none of this build. */
function keptCode(file, build) {
  try {
    const kept = readFileSync(file);
    return kept.toString("latin1", 0, headerLength) === build ? kept.subarray(headerLength) : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the program as the command of this name. */
export function runCommand(name) {
  process.env.ORCH_COMMAND_NAME = name;
  loadProgram().run();
}

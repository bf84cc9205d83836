import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * The commands' program, with what V8 kept of compiling it when it was built: without that, compiling takes a third of the start.
 * V8 itself tells whether the kept code fits the program and the running version of Node.js, and compiles when it does not.
 */
export function loadProgram() {
  const filename = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
  const cacheFile = `${filename}.cache`;
  const script = new Script(Module.wrap(readFileSync(filename, "latin1")), {
    filename,
    cachedData: readIfThere(cacheFile),
  });
  const run = () => {
    const module = { exports: {} };
    script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));
  };
  return { script, cacheFile, run };
}

/** Runs the program as the command of this name. */
export function runCommand(name) {
  process.env.ORCH_COMMAND_NAME = name;
  loadProgram().run();
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

import { setFlagsFromString } from "node:v8";
import { isGiven } from "./v8-options.mjs";

/** Processor time of the process, in milliseconds, from which optimized code pays back what it costs. */
const coldMs = 2_000;
const leastWaitMs = 100;

/** The options, and what V8 has without them: it cannot be asked. */
const options = [
  ["--ticks-before-optimization", 12, 3],
  ["--max-bytecode-size-for-early-opt", 0, 81],
];

/** Later versions of V8 have a compiler for code that is only warm, and other options. */
const optimizesWhatIsWarm = process.versions.v8.startsWith("11.");

/**
 * The V8 of Node.js 20 optimizes what has run a few times. The first thousand requests of a server took a third longer for that. `begin` lets V8 wait
 * until code has run more often, for as long as the process is cold. `pause` gives V8 its own options for a moment, until the next `begin`.
 *
 * Compiled code is only taken with the options that it was compiled with, and a thread starts with compiled code: the first one ends it.
 */
export class ColdStart {
  #processorMs;
  #isOver = !optimizesWhatIsWarm || options.some(([name]) => isGiven(name));
  /** Set while V8 waits. */
  #timer;

  constructor(processorMs = processorMsOfProcess) {
    this.#processorMs = processorMs;
  }

  begin() {
    if (this.#isOver || this.#timer !== undefined) return;
    for (const [name, whileCold] of options) setFlagsFromString(`${name}=${whileCold}`);
    process.once("worker", this.#end);
    this.#lookLater();
  }

  pause() {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    process.off("worker", this.#end);
    for (const [name, , usual] of options) setFlagsFromString(`${name}=${usual}`);
  }

  #lookLater() {
    const leftMs = coldMs - this.#processorMs();
    const look = leftMs > 0 ? () => this.#lookLater() : this.#end;
    this.#timer = setTimeout(look, Math.max(leftMs, leastWaitMs)).unref();
  }

  #end = () => {
    this.#isOver = true;
    this.pause();
  };
}

function processorMsOfProcess() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

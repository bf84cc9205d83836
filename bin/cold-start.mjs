import { setFlagsFromString } from "node:v8";
import { isGiven } from "./v8-options.mjs";

/** How long a process counts as cold, in milliseconds of processor time. */
const coldMs = 2_000;
const leastWaitMs = 100;

/** Options of V8, their values while the process is cold, and V8's defaults, which cannot be queried. */
const options = [
  ["--ticks-before-optimization", 12, 3],
  ["--max-bytecode-size-for-early-opt", 0, 81],
];

/** Later versions of V8 compile such code with a faster compiler, and have other options. */
const optimizesEarly = process.versions.v8.startsWith("11.");

/**
 * The V8 of Node.js 20 optimizes functions after a few calls, which makes the first thousand requests of a server take a third longer. `begin` makes V8
 * wait for more calls while the process is cold. `pause` restores V8's defaults until the next `begin`.
 *
 * V8 loads compiled code only under the options it was compiled with. A new thread needs that code, so the first thread ends the cold start.
 */
export class ColdStart {
  #processorMs;
  #isOver = !optimizesEarly || options.some(([name]) => isGiven(name));
  /** Set while the options for a cold process are in effect. */
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

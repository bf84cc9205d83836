import { Session } from "node:inspector";

/** Samples are this far apart. */
const sampleMicroseconds = 250;
/** Holds shorter than this are not told of. */
const toldMs = 10;
const toldHolds = 8;
/** Callers and callees with less than this share of a hold are left out. */
const toldShare = 0.08;
const toldLines = 45;

/** A CPU profile of the process it is in, told by holds of the event loop: who was called in each, and for how long. */
export class HoldProfile {
  #session = new Session();
  #holds = [];

  static async start() {
    const profile = new HoldProfile();
    profile.#session.connect();
    await profile.#post("Profiler.enable");
    await profile.#post("Profiler.setSamplingInterval", { interval: sampleMicroseconds });
    await profile.#post("Profiler.start");
    return profile;
  }

  /** Milliseconds of `performance.now()`. */
  add(from, to) {
    if (to - from >= toldMs) this.#holds.push({ from, to });
  }

  /** Ends it. Answers one text for each hold, in the order of time. */
  async stop() {
    // Both clocks are the monotonic one of the system, from different beginnings.
    const offset = Number(process.hrtime.bigint() / 1000n) - performance.now() * 1000;
    const { profile } = await this.#post("Profiler.stop");
    this.#session.disconnect();
    const stacks = stacksOf(profile);
    const longest = [...this.#holds].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, toldHolds);
    return longest
      .sort((a, b) => a.from - b.from)
      .map(({ from, to }) =>
        tell(
          `held for ${(to - from).toFixed(0)} ms`,
          samplesOf(profile, stacks, from * 1000 + offset, to * 1000 + offset),
        ),
      );
  }

  #post(method, parameters) {
    return new Promise((resolve, reject) => {
      this.#session.post(method, parameters, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(error);
      });
    });
  }
}

/** For each node of the profile the names from the outermost caller to itself. */
function stacksOf({ nodes }) {
  const stacks = new Map();
  for (const { id, callFrame, children = [] } of nodes) {
    const own = stacks.get(id) ?? [];
    own.push(callFrame.functionName || `anonymous:${callFrame.lineNumber + 1}:${callFrame.columnNumber}`);
    stacks.set(id, own);
    for (const child of children) stacks.set(child, [...own]);
  }
  return stacks;
}

function samplesOf({ samples, timeDeltas, startTime }, stacks, from, to) {
  const found = [];
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index];
    if (at >= from && at <= to) found.push({ stack: stacks.get(id), ms: timeDeltas[index] / 1000 });
  }
  return found;
}

function tell(title, samples) {
  const root = { ms: 0, own: 0, callees: new Map() };
  for (const { stack, ms } of samples) {
    let node = root;
    node.ms += ms;
    // The outermost two are the root and the event loop's own.
    for (const name of stack.slice(1)) {
      let next = node.callees.get(name);
      if (next === undefined) {
        next = { ms: 0, own: 0, callees: new Map() };
        node.callees.set(name, next);
      }
      next.ms += ms;
      node = next;
    }
    node.own += ms;
  }
  const lines = [title];
  const walk = (node, depth) => {
    const callees = [...node.callees].sort(([, a], [, b]) => b.ms - a.ms);
    for (const [name, callee] of callees) {
      if (callee.ms < root.ms * toldShare || lines.length > toldLines) continue;
      lines.push(
        `${"  ".repeat(Math.min(depth, 30))}${callee.ms.toFixed(0)} ms (own ${callee.own.toFixed(0)}) ${name}`,
      );
      walk(callee, depth + 1);
    }
  };
  walk(root, 1);
  return lines.join("\n");
}

import { append } from "./append.js";
import type { Steps } from "./steps.js";

const stepMs = 2;
/** Reading the clock takes as long as a small item. */
const itemsPerLook = 8;

interface Pacing {
  /** In milliseconds; never goes back. */
  readonly now: () => number;
  readonly itemsPerLook: number;
}

const usual: Pacing = { now: () => performance.now(), itemsPerLook };

/** Stands in a list of findings for those of items that are still to be looked at. */
class PutOff {
  readonly #find: () => readonly unknown[];
  #found: readonly unknown[] | undefined;

  constructor(find: () => readonly unknown[]) {
    this.#find = find;
  }

  /** Looks at the items once: the same list of findings may be in several places. */
  found(): readonly unknown[] {
    this.#found ??= this.#find();
    return this.#found;
  }
}

class Step {
  readonly #pacing: Pacing;
  #endsAt: number;
  #items = 0;
  #hasEnded = false;

  constructor(pacing: Pacing) {
    this.#pacing = pacing;
    this.#endsAt = pacing.now() + stepMs;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  begin(): void {
    this.#hasEnded = false;
    this.#items = 0;
    this.#endsAt = this.#pacing.now() + stepMs;
  }

  /** Counts an item; true when it must be put off. */
  isOver(): boolean {
    if (this.#hasEnded) return true;
    const { now, itemsPerLook } = this.#pacing;
    if (++this.#items > itemsPerLook) {
      this.#items = 1;
      this.#hasEnded = now() >= this.#endsAt;
    }
    return this.#hasEnded;
  }

  run<R>(find: () => R): R {
    return during(this, find);
  }
}

/** What is looked for is found synchronously, so one step runs at a time. */
let running: Step | undefined;

function during<R>(step: Step | undefined, find: () => R): R {
  const outer = running;
  running = step;
  try {
    return find();
  } finally {
    running = outer;
  }
}

/**
 * What `findingsOf` finds in each item, in order: errors of a validation, for example. Within `findingsInSteps`, a step that has lasted long puts
 * the other items off: the result then holds a placeholder for what they will yield. So only join the result with other findings. To count or
 * change findings, collect them `inOneStep`. `findingsOf` may keep a state from item to item.
 */
export function findingsOfEach<T, F>(
  items: readonly T[] | undefined,
  findingsOf: (item: T, index: number) => readonly F[],
): F[] {
  return items === undefined || items.length === 0 ? [] : findingsFrom(0, items, findingsOf);
}

function findingsFrom<T, F>(
  start: number,
  items: readonly T[],
  findingsOf: (item: T, index: number) => readonly F[],
): F[] {
  const findings: F[] = [];
  for (let index = start; index < items.length; index++) {
    if (running?.isOver() === true) {
      const rest: unknown = new PutOff(() => findingsFrom(index, items, findingsOf));
      // Only `findingsInSteps` sees it, which replaces it.
      findings.push(rest as F);
      break;
    }
    // Within bounds.
    const found = findingsOf(items[index] as T, index);
    if (found.length > 0) append(findings, found);
  }
  return findings;
}

/** What `find` finds, without putting anything off. */
export function inOneStep<R>(find: () => R): R {
  return running === undefined ? find() : during(undefined, find);
}

/** What `find` finds, with the ends of steps in the lists that it walks by `findingsOfEach`. */
export function* findingsInSteps<F>(find: () => readonly F[], pacing: Pacing = usual): Steps<readonly F[]> {
  const step = new Step(pacing);
  const first = step.run(find);
  if (!step.hasEnded) return first;
  const findings: F[] = [];
  // The next one last.
  const rest: unknown[] = [...first].reverse();
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (!(next instanceof PutOff)) {
      findings.push(next as F); // all others are findings
      continue;
    }
    if (step.hasEnded) {
      yield;
      step.begin();
    }
    const putOff = next;
    const found = step.run(() => putOff.found());
    for (let index = found.length - 1; index >= 0; index--) rest.push(found[index]);
  }
  return findings;
}

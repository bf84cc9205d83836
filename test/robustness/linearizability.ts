/**
 * An operation between its call and its return; one that never returned may take effect at any later time, or never.
 */
export interface Call<Input> {
  readonly input: Input;
  readonly invoked: number;
  /** Infinity when the outcome is unknown. */
  readonly returned: number;
}

export interface Model<State, Input> {
  readonly initial: State;
  /** The state afterwards, or undefined when the answer is impossible in this state. */
  step(state: State, input: Input): State | undefined;
  /** Equal only for equal states. */
  keyOf(state: State): string;
}

export type Verdict<Input> =
  | { readonly kind: "linearizable" }
  /** `longest`: the calls of the longest order found; `stuck`: those that could not come next. */
  | { readonly kind: "impossible"; readonly longest: readonly Input[]; readonly stuck: readonly Input[] }
  | { readonly kind: "undecided" };

interface Entry {
  readonly call: number;
  readonly isReturn: boolean;
  previous: Entry | undefined;
  next: Entry | undefined;
  /** Of a call that returned. */
  match: Entry | undefined;
}

interface Choice<State> {
  readonly entry: Entry;
  readonly state: State;
}

/**
 * Whether the calls can be put in an order that the model allows and that respects real time: the search of Wing and Gong with
 * Lowe's memory of visited configurations ("Testing for linearizability", 2017). Calls of unknown outcome have no return entry, so
 * that nothing forces them. Gives up as `undecided` after `stepsMax` attempts.
 */
export function checkLinearizable<State, Input>(
  model: Model<State, Input>,
  calls: readonly Call<Input>[],
  stepsMax = 5_000_000,
): Verdict<Input> {
  const order = [...calls].sort((a, b) => a.invoked - b.invoked);
  const head = entriesOf(order);
  const visited = new Set<string>();
  const done = new DoneSet(order.length);
  const choices: Choice<State>[] = [];
  let state = model.initial;
  let entry = head.next;
  let longest: readonly Input[] = [];
  let stuck: readonly Input[] = [];
  // Every call that returned has its return still in the list until it is taken: the end of the list means all are.
  for (let steps = 0; entry !== undefined; steps++) {
    if (steps > stepsMax) return { kind: "undecided" };
    if (!entry.isReturn) {
      const call = order[entry.call] as Call<Input>;
      const after = model.step(state, call.input);
      if (after !== undefined) {
        done.add(entry.call);
        const key = `${done.key()}|${model.keyOf(after)}`;
        if (!visited.has(key)) {
          visited.add(key);
          choices.push({ entry, state });
          state = after;
          lift(entry);
          entry = head.next;
          continue;
        }
        done.delete(entry.call);
      }
      entry = entry.next;
      continue;
    }
    if (choices.length >= longest.length) {
      longest = choices.map((choice) => (order[choice.entry.call] as Call<Input>).input);
      stuck = waiting(head, entry).map((call) => (order[call] as Call<Input>).input);
    }
    const last = choices.pop();
    if (last === undefined) return { kind: "impossible", longest, stuck };
    state = last.state;
    done.delete(last.entry.call);
    unlift(last.entry);
    entry = last.entry.next;
  }
  return { kind: "linearizable" };
}

function entriesOf(order: readonly Call<unknown>[]): Entry {
  const events: { readonly at: number; readonly entry: Entry }[] = [];
  order.forEach((call, index) => {
    const entry = (isReturn: boolean): Entry => ({
      call: index,
      isReturn,
      previous: undefined,
      next: undefined,
      match: undefined,
    });
    const start = entry(false);
    events.push({ at: call.invoked, entry: start });
    if (call.returned === Number.POSITIVE_INFINITY) return;
    start.match = entry(true);
    events.push({ at: call.returned, entry: start.match });
  });
  // At the same instant calls come before returns: they overlap.
  events.sort((a, b) => a.at - b.at || Number(a.entry.isReturn) - Number(b.entry.isReturn));
  const head: Entry = { call: -1, isReturn: false, previous: undefined, next: undefined, match: undefined };
  let last = head;
  for (const { entry } of events) {
    last.next = entry;
    entry.previous = last;
    last = entry;
  }
  return head;
}

function lift(entry: Entry): void {
  remove(entry);
  if (entry.match !== undefined) remove(entry.match);
}

function unlift(entry: Entry): void {
  if (entry.match !== undefined) restore(entry.match);
  restore(entry);
}

function remove(entry: Entry): void {
  if (entry.previous !== undefined) entry.previous.next = entry.next;
  if (entry.next !== undefined) entry.next.previous = entry.previous;
}

function restore(entry: Entry): void {
  if (entry.previous !== undefined) entry.previous.next = entry;
  if (entry.next !== undefined) entry.next.previous = entry;
}

function waiting(head: Entry, until: Entry): number[] {
  const calls: number[] = [];
  for (let entry = head.next; entry !== undefined && entry !== until; entry = entry.next)
    if (!entry.isReturn) calls.push(entry.call);
  return calls;
}

/** A set of calls, most of them consecutive from the first, so that its key is short and exact. */
class DoneSet {
  readonly #done: Uint8Array;
  #allBelow = 0;
  #count = 0;

  constructor(size: number) {
    this.#done = new Uint8Array(size);
  }

  add(call: number): void {
    this.#done[call] = 1;
    this.#count++;
    while (this.#done[this.#allBelow] === 1) this.#allBelow++;
  }

  delete(call: number): void {
    this.#done[call] = 0;
    this.#count--;
    if (call < this.#allBelow) this.#allBelow = call;
  }

  key(): string {
    let key = String(this.#allBelow);
    let left = this.#count - this.#allBelow;
    for (let call = this.#allBelow; left > 0; call++)
      if (this.#done[call] === 1) {
        key += `,${call}`;
        left--;
      }
    return key;
  }
}

import {
  type History,
  type RewindRecord,
  revisionOf,
  type SeenObject,
  type Violation,
  type WatchRecord,
} from "./history.js";

/** What happened at a revision. */
export type Change =
  | { readonly kind: "put"; readonly revision: number; readonly key: string; readonly object: SeenObject }
  | { readonly kind: "delete"; readonly revision: number; readonly key: string; readonly uid: string };

export type Snapshot = ReadonlyMap<string, SeenObject>;

interface Interval {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly through: number;
}

/**
 * Every change that any client saw, by revision. Where watches without a selector claim to have seen everything, the log is complete,
 * and the collection's content at a revision is known.
 */
export class ChangeLog {
  readonly changes: readonly Change[];
  readonly violations: readonly Violation[];
  readonly baseRevision: number;
  readonly #history: History;
  readonly #byKey = new Map<string, Change[]>();
  readonly #covered: readonly Interval[];
  /** Known contents: at the base, and from lists. The earliest comes first, so that a list does not confirm itself. */
  readonly #checkpoints: readonly { readonly revision: number; readonly items: Snapshot }[];

  constructor(history: History) {
    this.#history = history;
    this.baseRevision = history.baseRevision;
    const found = new Map<number, Change>();
    const violations: Violation[] = [];
    const add = (change: Change, source: string): void => {
      const known = found.get(change.revision);
      if (known === undefined) found.set(change.revision, change);
      else if (!sameChange(known, change))
        violations.push({
          kind: "different-contents",
          message: `${source} saw ${textOf(change)}, others saw ${textOf(known)}`,
        });
    };
    const put = (key: string, object: SeenObject, source: string): void =>
      add({ kind: "put", revision: object.revision, key, object }, source);

    for (const { client, key, answer, operation } of history.operations)
      if (answer.kind === "object") put(key, answer.object, `${client} ${operation.kind}`);
    for (const { client, items } of history.lists)
      for (const [key, object] of items) put(key, object, `${client} list`);
    for (const watch of history.watches)
      for (const event of watch.events) {
        if (event.type === "BOOKMARK") continue;
        const source = `${watch.client} watch`;
        if (event.type !== "DELETED") put(event.key, event.object, source);
        // With a selector, DELETED may mean that the object left the selection.
        else if (watch.side === undefined) {
          const { revision, uid } = event.object;
          add({ kind: "delete", revision, key: event.key, uid }, source);
        }
      }

    this.changes = [...found.values()].sort((a, b) => a.revision - b.revision);
    for (const change of this.changes) {
      const ofKey = this.#byKey.get(change.key);
      if (ofKey === undefined) this.#byKey.set(change.key, [change]);
      else ofKey.push(change);
    }
    this.violations = violations;
    this.#covered = union(history.watches.flatMap(coverage));
    this.#checkpoints = [
      { revision: history.baseRevision, items: new Map() },
      ...history.lists.filter((list) => list.side === undefined),
    ].sort((a, b) => a.revision - b.revision);
  }

  get keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** In order of revisions. */
  changesOf(key: string): readonly Change[] {
    return this.#byKey.get(key) ?? [];
  }

  /** The rewind that may have made the change at a revision. */
  rewindAt(revision: number): RewindRecord | undefined {
    return this.#history.rewinds?.find(({ after, through }) => after < revision && revision <= through);
  }

  /** The changes with `after` < revision <= `through`. */
  between(after: number, through: number): readonly Change[] {
    return this.changes.slice(this.#indexAfter(after), this.#indexAfter(through));
  }

  /** Whether every change in this interval is known. */
  isComplete(after: number, through: number): boolean {
    return (
      through <= after ||
      this.#covered.some((interval) => interval.after <= after && through <= interval.through)
    );
  }

  /** Undefined where the log is incomplete. */
  at(revision: number): Map<string, SeenObject> | undefined {
    const base = this.#checkpoints.find(
      (checkpoint) => checkpoint.revision <= revision && this.isComplete(checkpoint.revision, revision),
    );
    if (base === undefined) return undefined;
    const items = new Map(base.items);
    for (const change of this.between(base.revision, revision)) apply(items, change);
    return items;
  }

  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.changes[middle] as Change).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function apply(items: Map<string, SeenObject>, change: Change): void {
  if (change.kind === "put") items.set(change.key, change.object);
  else items.delete(change.key);
}

export function sameObject(a: SeenObject, b: SeenObject): boolean {
  return a.revision === b.revision && a.uid === b.uid && a.value === b.value && a.side === b.side;
}

function textOf(change: Change): string {
  const what = change.kind === "put" ? `= ${change.object.value} (${change.object.side})` : "deleted";
  return `${change.key} ${what} at ${change.revision}`;
}

function sameChange(a: Change, b: Change): boolean {
  if (a.key !== b.key) return false;
  if (a.kind === "put") return b.kind === "put" && sameObject(a.object, b.object);
  return b.kind === "delete" && a.uid === b.uid;
}

function coverage(watch: WatchRecord): Interval[] {
  const last = watch.events.at(-1);
  if (watch.start.kind !== "exact" || watch.side !== undefined || last === undefined) return [];
  return [{ after: watch.start.revision, through: revisionOf(last) }];
}

function union(intervals: readonly Interval[]): Interval[] {
  const joined: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => a.after - b.after)) {
    const last = joined.at(-1);
    if (last === undefined || next.after > last.through) joined.push(next);
    else if (next.through > last.through)
      joined[joined.length - 1] = { after: last.after, through: next.through };
  }
  return joined;
}

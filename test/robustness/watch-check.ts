import { apply, type Change, type ChangeLog, sameObject } from "./change-log.js";
import { revisionOf, type SeenObject, type Violation, type WatchEvent, type WatchRecord } from "./history.js";

interface Expected {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly key: string;
  readonly object: SeenObject;
}

type ObjectEvent = Exclude<WatchEvent, { readonly type: "BOOKMARK" }>;

/**
 * Checks that a watch is ordered, complete, free of duplicates and honest in its bookmarks, from its start to the last revision it
 * reported. A watch that was broken and resumed counts as two: the second starts exactly where the first ended.
 */
export function checkWatch(watch: WatchRecord, log: ChangeLog, mostRecent: number): Violation[] {
  const { start } = watch;
  return start.kind === "exact"
    ? checkFrom(watch, watch.events, start.revision, log.at(start.revision), log)
    : checkWithInitialState(watch, log, start.kind === "recent" ? mostRecent : 0);
}

function checkFrom(
  watch: WatchRecord,
  events: readonly WatchEvent[],
  start: number,
  known: Map<string, SeenObject> | undefined,
  log: ChangeLog,
): Violation[] {
  const violated = orderViolation(events, start) ?? contentViolation(watch, events, start, known, log);
  if (violated === undefined) return [];
  return [{ kind: violated.kind, message: `${name(watch)}: ${violated.message}` }];
}

/** Events and bookmarks must each be newer than those before them; a bookmark may be as new as the last event. */
function orderViolation(events: readonly WatchEvent[], start: number): Violation | undefined {
  let reached = start;
  let bookmark = 0;
  for (const event of events) {
    const revision = revisionOf(event);
    if (event.type === "BOOKMARK") {
      if (revision < reached)
        return violation("dishonest-bookmark", `bookmark ${revision} after an event at ${reached}`);
      bookmark = revision;
    } else if (revision <= bookmark)
      return violation("dishonest-bookmark", `${text(event)} after the bookmark ${bookmark}`);
    else if (revision <= reached)
      return violation("repeated-event", `${text(event)} after it had reached ${reached}`);
    reached = revision;
  }
  return undefined;
}

/** The events must be those of all changes up to the last revision that the watch reported. */
function contentViolation(
  { side }: WatchRecord,
  events: readonly WatchEvent[],
  start: number,
  known: Map<string, SeenObject> | undefined,
  log: ChangeLog,
): Violation | undefined {
  const last = events.at(-1);
  if (last === undefined) return undefined;
  // Without the initial state it is unknown which objects moved into or out of a selection.
  if (side !== undefined && (known === undefined || !log.isComplete(start, revisionOf(last))))
    return undefined;
  const state = known ?? new Map<string, SeenObject>();
  const expected = log
    .between(start, revisionOf(last))
    .flatMap((change) => expectedOf(change, state, side, known !== undefined));
  const delivered = events.filter((event): event is ObjectEvent => event.type !== "BOOKMARK");
  for (let index = 0; index < Math.max(expected.length, delivered.length); index++) {
    const should = expected[index];
    const did = delivered[index];
    if (should !== undefined && (did === undefined || did.object.revision > should.object.revision))
      return skipped(should, did, events);
    if (did === undefined) break;
    if (should === undefined || should.object.revision > did.object.revision)
      return violation("wrong-event", `${text(did)} belongs to no change`);
    const isOfType = known === undefined || did.type === should.type;
    if (did.key !== should.key || !isOfType || !sameContent(did, should))
      return violation("wrong-event", `${text(did)} in place of ${text(should)}`);
  }
  return undefined;
}

/** `should` was not delivered before `did`; undefined: before the end. Worse if a bookmark vouched that nothing was missing. */
function skipped(should: Expected, did: ObjectEvent | undefined, events: readonly WatchEvent[]): Violation {
  const vouching = events.find(
    (event) => event.type === "BOOKMARK" && event.revision >= should.object.revision,
  );
  if (vouching !== undefined && (did === undefined || events.indexOf(vouching) < events.indexOf(did)))
    return violation("dishonest-bookmark", `bookmark ${revisionOf(vouching)} without ${text(should)}`);
  const before = did === undefined ? "the end" : text(did);
  return violation("skipped-event", `${text(should)} is missing before ${before}`);
}

function violation(kind: Violation["kind"], message: string): Violation {
  return { kind, message };
}

/** Tries every version whose state the initial events could be. */
function checkWithInitialState(watch: WatchRecord, log: ChangeLog, atLeast: number): Violation[] {
  const { events } = watch;
  const initial = new Map<string, SeenObject>();
  let longest = 0;
  for (const event of events) {
    if (event.type !== "ADDED" || initial.has(event.key)) break;
    initial.set(event.key, event.object);
    longest++;
  }
  let closest: Violation[] | undefined;
  for (let count = longest; count >= 0; count--) {
    const prefix = new Map(
      events
        .slice(0, count)
        .flatMap((event) => (event.type === "BOOKMARK" ? [] : [[event.key, event.object]])),
    );
    const next = events[count];
    const low = Math.max(log.baseRevision, ...[...prefix.values()].map((object) => object.revision));
    const high =
      next === undefined ? Number.POSITIVE_INFINITY : revisionOf(next) - (next.type === "BOOKMARK" ? 0 : 1);
    if (high < low) continue;
    const candidates = [low, atLeast, ...log.between(low, high).map((change) => change.revision)].filter(
      (revision) => revision >= atLeast && revision >= low && revision <= high,
    );
    for (const revision of new Set(candidates)) {
      const state = log.at(revision);
      // Where the log has gaps, nothing can be held against the watch.
      if (state === undefined) return [];
      // A watch that broke early may not have delivered the whole state.
      if (next === undefined && isPartOf(prefix, state, watch.side)) return [];
      if (!sameState(prefix, state, watch.side)) continue;
      const violations = checkFrom(watch, events.slice(count), revision, state, log);
      if (violations.length === 0) return [];
      closest ??= violations;
    }
  }
  if (closest !== undefined) return closest;
  const shown = [...initial].map(([key, object]) => `${key}@${object.revision}`).join(" ");
  return [
    {
      kind: "wrong-event",
      message: `${name(watch)}: its initial state was that of no version from ${atLeast} on: ${shown}`,
    },
  ];
}

function expectedOf(
  change: Change,
  state: Map<string, SeenObject>,
  side: string | undefined,
  complete: boolean,
): Expected[] {
  const { key, revision } = change;
  const before = state.get(key);
  apply(state, change);
  const was = before !== undefined && (side === undefined || before.side === side);
  const is = change.kind === "put" && (side === undefined || change.object.side === side);
  if (is) return [{ type: was ? "MODIFIED" : "ADDED", key, object: change.object }];
  if (was) return [{ type: "DELETED", key, object: { ...before, revision } }];
  // The deletion of an object whose content no client saw.
  if (!complete && change.kind === "delete")
    return [{ type: "DELETED", key, object: { revision, uid: change.uid, value: "", side: "" } }];
  return [];
}

function sameContent(did: ObjectEvent, should: Expected): boolean {
  return should.object.value === ""
    ? did.object.uid === should.object.uid
    : sameObject(did.object, should.object);
}

function isPartOf(
  seen: ReadonlyMap<string, SeenObject>,
  state: ReadonlyMap<string, SeenObject>,
  side: string | undefined,
): boolean {
  return [...seen].every(([key, object]) => {
    const known = state.get(key);
    return known !== undefined && sameObject(known, object) && (side === undefined || object.side === side);
  });
}

export function sameState(
  seen: ReadonlyMap<string, SeenObject>,
  state: ReadonlyMap<string, SeenObject>,
  side: string | undefined,
): boolean {
  let matching = 0;
  for (const [key, object] of state) {
    if (side !== undefined && object.side !== side) continue;
    matching++;
    const other = seen.get(key);
    if (other === undefined || !sameObject(other, object)) return false;
  }
  return matching === seen.size;
}

function name({ client, server, start, side }: WatchRecord): string {
  const from = start.kind === "exact" ? start.revision : start.kind;
  return `${client} watch on server ${server} from ${from}${side === undefined ? "" : ` of ${side}`}`;
}

function text({ type, key, object }: ObjectEvent | Expected): string {
  return `${type} ${key}@${object.revision}`;
}

import type { ChangeLog } from "./change-log.js";
import type { History, OperationRecord, SeenObject } from "./history.js";
import type { Call, Model } from "./linearizability.js";

/** One object's state: a register that may be absent. */
export interface ObjectState {
  /** Undefined when absent. */
  readonly value: string | undefined;
  /** Undefined when no client saw the write that made it. */
  readonly uid: string | undefined;
  readonly revision: number | undefined;
  /** No change after this state has a revision up to this one. */
  readonly floor: number;
}

/** What a request did or found, with everything learned about it from the rest of the history. */
export type ObjectInput =
  | {
      readonly kind: "create" | "update";
      readonly value: string;
      readonly seen: SeenObject | undefined;
      readonly expected: number | undefined;
    }
  | {
      readonly kind: "delete";
      readonly uid: string | undefined;
      readonly revision: number | undefined;
      readonly expected: number | undefined;
    }
  /** By a rewind, or by a write of unknown outcome during one. */
  | { readonly kind: "restored"; readonly object: SeenObject }
  | { readonly kind: "found"; readonly object: SeenObject }
  | { readonly kind: "absent" }
  | { readonly kind: "present" }
  | { readonly kind: "not-at"; readonly revision: number };

export const objectModel: Model<ObjectState, ObjectInput> = {
  initial: { value: undefined, uid: undefined, revision: undefined, floor: 0 },
  keyOf: ({ value, floor }) => `${value ?? ""}@${floor}`,
  step(state, input) {
    const present = state.value !== undefined;
    switch (input.kind) {
      case "found":
        return state.value === input.object.value &&
          (state.revision ?? input.object.revision) === input.object.revision &&
          (state.uid ?? input.object.uid) === input.object.uid
          ? state
          : undefined;
      case "restored": {
        const { value, uid, revision } = input.object;
        return revision > state.floor ? { value, uid, revision, floor: revision } : undefined;
      }
      case "absent":
        return present ? undefined : state;
      case "present":
        return present ? state : undefined;
      case "not-at":
        return present && state.revision !== input.revision ? state : undefined;
      case "delete":
        return afterDelete(state, input);
      case "create":
      case "update":
        return afterWrite(state, input);
    }
  },
};

function afterDelete(
  state: ObjectState,
  { uid, revision, expected }: ObjectInput & { readonly kind: "delete" },
): ObjectState | undefined {
  if (state.value === undefined || !expects(state, expected)) return undefined;
  if (uid !== undefined && state.uid !== undefined && state.uid !== uid) return undefined;
  if (revision !== undefined && revision <= state.floor) return undefined;
  return { value: undefined, uid: undefined, revision: undefined, floor: revision ?? state.floor };
}

function afterWrite(
  state: ObjectState,
  { kind, value, seen, expected }: ObjectInput & { readonly kind: "create" | "update" },
): ObjectState | undefined {
  const isUpdate = kind === "update";
  if ((state.value !== undefined) !== isUpdate || !expects(state, expected)) return undefined;
  if (seen === undefined)
    return { value, uid: isUpdate ? state.uid : undefined, revision: undefined, floor: state.floor };
  if (seen.revision <= state.floor) return undefined;
  if (isUpdate && state.uid !== undefined && state.uid !== seen.uid) return undefined;
  return { value, uid: seen.uid, revision: seen.revision, floor: seen.revision };
}

function expects(state: ObjectState, expected: number | undefined): boolean {
  return expected === undefined || (state.revision ?? expected) === expected;
}

/** The requests about one object, as calls on its register. Excludes reads of old versions. */
export function callsOn(key: string, history: History, log: ChangeLog): Call<ObjectInput>[] {
  const observed = firstObservations(key, history, log);
  const deletions = new Map<string, number | undefined>();
  for (const change of log.changesOf(key)) {
    if (change.kind !== "delete") continue;
    // Of an object that came back, it is unknown which one a client was told of.
    deletions.set(change.uid, deletions.has(change.uid) ? undefined : change.revision);
  }
  const calls = callsOfRewinds(key, history, log);
  for (const record of history.operations) {
    if (record.key !== key) continue;
    const call = callOf(record, observed, deletions);
    if (call !== undefined) calls.push(call);
  }
  for (const { read, exact, side, items, invoked, returned } of history.lists) {
    if (read !== "recent" || exact || side !== undefined) continue;
    const object = items.get(key);
    calls.push({
      input: object === undefined ? { kind: "absent" } : { kind: "found", object },
      invoked,
      returned,
    });
  }
  return calls;
}

/** Changes that a rewind may have made: all in its time that no client was told to be its own. */
function callsOfRewinds(key: string, history: History, log: ChangeLog): Call<ObjectInput>[] {
  const changes = log.changesOf(key).filter(({ revision }) => log.rewindAt(revision) !== undefined);
  if (changes.length === 0) return [];
  const told = new Set<number>();
  const deleted = new Set<string>();
  for (const { key: of, operation, answer } of history.operations) {
    if (of !== key) continue;
    if (answer.kind === "object" && operation.kind !== "get") told.add(answer.object.revision);
    if (answer.kind === "deleted") deleted.add(answer.uid);
  }
  const sights = firstSights(key, history);
  return changes.flatMap((change): Call<ObjectInput>[] => {
    if (told.has(change.revision)) return [];
    const { revision } = change;
    const invoked = log.rewindAt(revision)?.invoked ?? 0;
    const returned = sights.get(revision) ?? Number.POSITIVE_INFINITY;
    if (change.kind === "put")
      return [{ input: { kind: "restored", object: change.object }, invoked, returned }];
    const { uid } = change;
    const input = { kind: "delete", uid, revision, expected: undefined } as const;
    // The client that was told of a deletion may have made this one.
    return [{ input, invoked, returned: deleted.has(uid) ? Number.POSITIVE_INFINITY : returned }];
  });
}

/** When any client first had an answer or event of each revision. */
function firstSights(key: string, history: History): Map<number, number> {
  const first = new Map<number, number>();
  const see = (revision: number, at: number): void => {
    if (at < (first.get(revision) ?? Number.POSITIVE_INFINITY)) first.set(revision, at);
  };
  for (const record of history.operations)
    if (record.key === key && record.answer.kind === "object")
      see(record.answer.object.revision, record.returned);
  for (const list of history.lists) {
    const object = list.items.get(key);
    if (object !== undefined) see(object.revision, list.returned);
  }
  for (const watch of history.watches)
    for (const event of watch.events)
      if (event.type !== "BOOKMARK" && event.key === key) see(event.object.revision, event.at);
  return first;
}

interface Observation {
  /** Undefined when all versions with the value may be those of rewinds. */
  readonly object: SeenObject | undefined;
  readonly at: number;
}

function callOf(
  record: OperationRecord,
  observed: ReadonlyMap<string, Observation>,
  deletions: ReadonlyMap<string, number | undefined>,
): Call<ObjectInput> | undefined {
  const { operation, answer, invoked, returned } = record;
  const call = (input: ObjectInput): Call<ObjectInput> => ({ input, invoked, returned });
  if (operation.kind === "get" && operation.read !== "recent") return undefined;
  const expected = operation.kind === "get" || operation.kind === "create" ? undefined : operation.expected;
  switch (answer.kind) {
    case "absent":
      return call({ kind: "absent" });
    case "exists":
      return call({ kind: "present" });
    case "conflict":
      return expected === undefined ? undefined : call({ kind: "not-at", revision: expected });
    case "deleted":
      return call({
        kind: "delete",
        uid: answer.uid,
        revision: deletions.get(answer.uid),
        expected,
      });
    case "object":
      if (operation.kind === "get") return call({ kind: "found", object: answer.object });
      if (operation.kind === "delete") return undefined;
      return call({ kind: operation.kind, value: operation.value, seen: answer.object, expected });
    case "unknown": {
      if (operation.kind === "get") return undefined;
      if (operation.kind === "delete")
        return {
          input: { kind: "delete", uid: undefined, revision: undefined, expected },
          invoked,
          returned: Number.POSITIVE_INFINITY,
        };
      // A write that was seen took effect, and no later than that.
      const sight = observed.get(operation.value);
      return {
        input: { kind: operation.kind, value: operation.value, seen: sight?.object, expected },
        invoked,
        returned: sight?.at ?? Number.POSITIVE_INFINITY,
      };
    }
    case "refused":
    case "unexpected":
      return undefined;
  }
}

/** For each value, the version that holds it and the first time that any client had it. */
function firstObservations(key: string, history: History, log: ChangeLog): Map<string, Observation> {
  const first = new Map<string, Observation>();
  const see = (object: SeenObject, at: number): void => {
    const known = first.get(object.value);
    const isOwn = log.rewindAt(object.revision) === undefined;
    first.set(object.value, {
      object: isOwn ? object : known?.object,
      at: Math.min(at, known?.at ?? Number.POSITIVE_INFINITY),
    });
  };
  for (const record of history.operations)
    if (record.key === key && record.answer.kind === "object") see(record.answer.object, record.returned);
  for (const list of history.lists) {
    const object = list.items.get(key);
    // Later pages come after `returned`, but the version they show existed by then.
    if (object !== undefined) see(object, list.returned);
  }
  for (const watch of history.watches)
    for (const event of watch.events)
      if (event.type !== "BOOKMARK" && event.type !== "DELETED" && event.key === key)
        see(event.object, event.at);
  return first;
}

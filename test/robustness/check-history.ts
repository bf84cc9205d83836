import { ChangeLog } from "./change-log.js";
import type { History, ListRecord, OperationRecord, Violation } from "./history.js";
import { checkLinearizable } from "./linearizability.js";
import { callsOn, type ObjectInput, objectModel } from "./object-model.js";
import { checkWatch, sameState } from "./watch-check.js";

/**
 * Everything that the history shows to be wrong; empty when the server kept its promises. Sound: every finding is a real fault.
 */
export function checkHistory(history: History): Violation[] {
  const log = new ChangeLog(history);
  const acknowledged = acknowledgedRevisions(history, log);
  return [
    ...log.violations,
    ...history.operations.flatMap(unexpectedAnswer),
    ...objectViolations(history, log),
    ...revisionOrder(history, log),
    ...history.operations.flatMap((record) => oldGet(record, log)),
    ...history.lists.flatMap((list) => listViolations(list, log, acknowledged)),
    ...history.watches.flatMap((watch) => checkWatch(watch, log, acknowledged.before(watch.invoked))),
    ...unseenDeletions(history, log),
    ...stalledWatches(history),
  ];
}

function unexpectedAnswer({ client, key, operation, answer }: OperationRecord): Violation[] {
  if (answer.kind !== "unexpected") return [];
  return [{ kind: "unexpected-answer", message: `${client} ${operation.kind} ${key}: ${answer.text}` }];
}

function objectViolations(history: History, log: ChangeLog): Violation[] {
  const keys = new Set([...log.keys, ...history.operations.map((record) => record.key)]);
  return [...keys].flatMap((key): Violation[] => {
    const verdict = checkLinearizable(objectModel, callsOn(key, history, log));
    if (verdict.kind === "linearizable") return [];
    if (verdict.kind === "undecided")
      return [{ kind: "undecided", message: `${key}: too many writes of unknown outcome` }];
    const after = verdict.longest.slice(-3).map(describeInput).join(", ");
    const stuck = verdict.stuck.map(describeInput).join(" | ");
    return [
      {
        kind: "not-linearizable",
        message: `${key}: after ${verdict.longest.length} calls (${after}) none can come next of: ${stuck}`,
      },
    ];
  });
}

function describeInput(input: ObjectInput): string {
  switch (input.kind) {
    case "create":
    case "update":
      return `${input.kind} ${input.value}${input.seen === undefined ? "" : `@${input.seen.revision}`}${
        input.expected === undefined ? "" : ` of ${input.expected}`
      }`;
    case "delete":
      return `delete${input.revision === undefined ? "" : `@${input.revision}`}`;
    case "restored":
      return `restored ${input.object.value}@${input.object.revision}`;
    case "found":
      return `found ${input.object.value}@${input.object.revision}`;
    case "not-at":
      return `not at ${input.revision}`;
    default:
      return input.kind;
  }
}

interface Acknowledged {
  /** The highest revision that a write had returned to any client before this time. */
  before(time: number): number;
}

interface Interval {
  readonly invoked: number;
  readonly returned: number;
}

/** When the change at a revision must have happened; changes with an unknown writer are absent. */
function writeIntervals(history: History, log: ChangeLog): Map<number, Interval> {
  const byValue = new Map<string, OperationRecord>();
  const byUid = new Map<string, OperationRecord>();
  const deletions = new Map<string, number>();
  for (const change of log.changes)
    if (change.kind === "delete") deletions.set(change.uid, (deletions.get(change.uid) ?? 0) + 1);
  for (const record of history.operations) {
    if (record.operation.kind === "create" || record.operation.kind === "update")
      byValue.set(record.operation.value, record);
    if (record.answer.kind === "deleted") byUid.set(record.answer.uid, record);
  }
  const intervals = new Map<number, Interval>();
  for (const change of log.changes) {
    const writer = change.kind === "put" ? byValue.get(change.object.value) : byUid.get(change.uid);
    if (writer === undefined) continue;
    const { answer } = writer;
    const told = answer.kind === "object" || answer.kind === "deleted";
    // What a rewind stored again, or may have; and an object that came back may be deleted again.
    if (answer.kind === "object" ? answer.object.revision !== change.revision : log.rewindAt(change.revision))
      continue;
    if (change.kind === "delete" && deletions.get(change.uid) !== 1) continue;
    intervals.set(change.revision, {
      invoked: writer.invoked,
      returned: told ? writer.returned : Number.POSITIVE_INFINITY,
    });
  }
  return intervals;
}

function acknowledgedRevisions(history: History, log: ChangeLog): Acknowledged {
  const steps: { readonly at: number; readonly revision: number }[] = [];
  const returns = [...writeIntervals(history, log)]
    .map(([revision, { returned }]) => ({ at: returned, revision }))
    .filter(({ at }) => at !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.at - b.at);
  for (const { at, revision } of returns)
    if (revision > (steps.at(-1)?.revision ?? 0)) steps.push({ at, revision });
  return {
    before(time) {
      let low = 0;
      let high = steps.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((steps[middle]?.at ?? 0) < time) low = middle + 1;
        else high = middle;
      }
      return steps[low - 1]?.revision ?? history.baseRevision;
    },
  };
}

/** Stricter than per object: a write that ended before another began has the lower revision, whichever objects they are of. */
function revisionOrder(history: History, log: ChangeLog): Violation[] {
  let latest = { revision: 0, invoked: 0 };
  const violations: Violation[] = [];
  for (const [revision, { invoked, returned }] of [...writeIntervals(history, log)].sort(
    ([a], [b]) => a - b,
  )) {
    if (returned < latest.invoked)
      violations.push({
        kind: "revision-order",
        message: `the write at ${revision} ended before the one at ${latest.revision} began`,
      });
    if (invoked > latest.invoked) latest = { revision, invoked };
  }
  return violations;
}

/** Reads that request a version not older than a given one. */
function oldGet({ client, key, operation, answer }: OperationRecord, log: ChangeLog): Violation[] {
  if (operation.kind !== "get" || typeof operation.read !== "number" || answer.kind !== "object") return [];
  const oldest = operation.read;
  const { revision } = answer.object;
  const newer = log.changesOf(key).find((change) => change.revision > revision && change.revision <= oldest);
  if (newer === undefined) return [];
  return [
    {
      kind: "stale-read",
      message: `${client} get ${key} not older than ${oldest} found ${revision}, changed at ${newer.revision}`,
    },
  ];
}

function listViolations(list: ListRecord, log: ChangeLog, acknowledged: Acknowledged): Violation[] {
  const { read, revision } = list;
  const name = `${list.client} list of server ${list.server} (${list.exact ? "exactly " : ""}${read}, ${list.pages} pages)`;
  const violations: Violation[] = [];
  const oldest = read === "recent" ? acknowledged.before(list.invoked) : read === "any" ? 0 : read;
  if (revision < oldest)
    violations.push({ kind: "stale-read", message: `${name} is of ${revision}, older than ${oldest}` });
  if (list.exact && revision !== read)
    violations.push({ kind: "wrong-list", message: `${name} is of ${revision}` });
  const state = log.at(revision);
  if (state !== undefined && !sameState(list.items, state, list.side)) {
    const show = (items: ReadonlyMap<string, { readonly revision: number }>): string =>
      [...items]
        .map(([key, object]) => `${key}@${object.revision}`)
        .sort()
        .join(" ");
    violations.push({
      kind: "wrong-list",
      message: `${name} at ${revision} shows ${show(list.items)}; the objects were ${show(state)}`,
    });
  }
  return violations;
}

/** An acknowledged deletion must be among the changes, where these are all known. */
function unseenDeletions(history: History, log: ChangeLog): Violation[] {
  const { baseRevision, finalRevision } = history;
  if (finalRevision === undefined || !log.isComplete(baseRevision, finalRevision)) return [];
  const deleted = new Set(log.changes.flatMap((change) => (change.kind === "delete" ? [change.uid] : [])));
  return history.operations.flatMap(({ key, answer }): Violation[] =>
    answer.kind === "deleted" && !deleted.has(answer.uid)
      ? [{ kind: "skipped-event", message: `no watch told of the deletion of ${key} ${answer.uid}` }]
      : [],
  );
}

function stalledWatches({ stalled, finalRevision }: History): Violation[] {
  return stalled.map((watcher) => ({
    kind: "stalled-watch",
    message: `${watcher} never reached ${finalRevision}`,
  }));
}

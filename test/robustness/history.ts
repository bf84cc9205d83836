/**
 * The record of a run: every request and every event, in the time of one monotonic clock (milliseconds). Revisions are the numbers
 * behind the resource versions: the checker interprets what clients must treat as opaque.
 */
export interface History {
  /** Nothing of the collection existed at or before this revision. */
  readonly baseRevision: number;
  /** The revision that every watcher had to reach. Undefined: the run does not claim that. */
  readonly finalRevision?: number | undefined;
  /** Watchers that did not, and reads without an answer, although no fault was active any more. */
  readonly stalled: readonly string[];
  readonly operations: readonly OperationRecord[];
  readonly lists: readonly ListRecord[];
  readonly watches: readonly WatchRecord[];
  /** Undefined: there were none. */
  readonly rewinds?: readonly RewindRecord[] | undefined;
}

/** A rewind of the whole store, whose writes have revisions with `after` < revision <= `through`, maybe besides others. */
export interface RewindRecord {
  readonly invoked: number;
  readonly after: number;
  readonly through: number;
}

/** An object as a client saw it. Each write of a client stores a value that no other one stores; a rewind stores former ones again. */
export interface SeenObject {
  readonly revision: number;
  readonly uid: string;
  readonly value: string;
  /** The label that selectors use. */
  readonly side: string;
}

export type Operation =
  | { readonly kind: "create"; readonly value: string; readonly side: string }
  /** With `expected`, only when the object is at this revision. */
  | {
      readonly kind: "update";
      readonly value: string;
      readonly side: string;
      readonly expected?: number | undefined;
    }
  | { readonly kind: "delete"; readonly expected?: number | undefined }
  | { readonly kind: "get"; readonly read: ReadVersion };

/** `recent`: no version given; `any`: version 0; a number: not older than it. */
export type ReadVersion = "recent" | "any" | number;

export type Answer =
  | { readonly kind: "object"; readonly object: SeenObject }
  | { readonly kind: "deleted"; readonly uid: string }
  | { readonly kind: "absent" }
  | { readonly kind: "exists" }
  | { readonly kind: "conflict" }
  /** Certainly without effect, whatever the state was. */
  | { readonly kind: "refused" }
  /** A write that may take effect at any later time, or never; a read without result. */
  | { readonly kind: "unknown" }
  /** A response that the API never gives to this request. */
  | { readonly kind: "unexpected"; readonly text: string };

export interface OperationRecord {
  readonly client: string;
  /** As sent with the request. */
  readonly auditId?: string;
  readonly server: number;
  readonly key: string;
  readonly operation: Operation;
  readonly answer: Answer;
  readonly invoked: number;
  readonly returned: number;
}

export interface ListRecord {
  readonly client: string;
  readonly server: number;
  readonly read: ReadVersion;
  /** Exactly at the number in `read`. */
  readonly exact: boolean;
  readonly side?: string | undefined;
  readonly pages: number;
  readonly revision: number;
  readonly items: ReadonlyMap<string, SeenObject>;
  readonly invoked: number;
  /** When the first page arrived: it decides the version of all. */
  readonly returned: number;
}

export type WatchStart =
  | { readonly kind: "any" | "recent" }
  | { readonly kind: "exact"; readonly revision: number };

export interface WatchRecord {
  readonly client: string;
  readonly server: number;
  readonly start: WatchStart;
  readonly side?: string | undefined;
  readonly invoked: number;
  readonly events: readonly WatchEvent[];
  /** Why it ended; `finished` when the run ended it after the final revision. */
  readonly end: "broken" | "closed" | "expired" | "finished";
}

export type WatchEvent =
  | {
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly key: string;
      /** At the event's revision; for DELETED with the last content. */
      readonly object: SeenObject;
      readonly at: number;
    }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly at: number };

export type ViolationKind =
  | "not-linearizable"
  | "undecided"
  | "unexpected-answer"
  | "different-contents"
  | "revision-order"
  | "stale-read"
  | "wrong-list"
  | "skipped-event"
  | "repeated-event"
  | "wrong-event"
  | "dishonest-bookmark"
  | "stalled-watch";

export interface Violation {
  readonly kind: ViolationKind;
  readonly message: string;
}

export function revisionOf(event: WatchEvent): number {
  return event.type === "BOOKMARK" ? event.revision : event.object.revision;
}

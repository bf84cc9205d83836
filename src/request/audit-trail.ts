import type { Status } from "../apimachinery/errors/status.js";

/** How much an audit event records, as a policy decides. Source: the Event type of audit v1. */
export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

/**
 * The audit event of a request in progress. Absent when nothing is recorded, so that auditing costs nothing then. Callbacks run at
 * once, and only if the level needs their result.
 */
export interface AuditTrail {
  /** Never `None`: such a request has no trail. */
  readonly level: AuditLevel;
  /** Records a fact that a decision was based on. The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** Adds several annotations that many requests share: the map must not change. */
  annotateAll(facts: ReadonlyMap<string, string>): void;
  /** Completes the object reference from the path by the metadata of the object that was sent. */
  identify(object: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  }): void;
  /** The request object with defaults, in its version, or the patch: compact JSON. */
  recordRequest(json: () => string | Uint8Array): void;
  /** The response object as the client receives it: compact JSON. */
  recordResponse(json: () => string | Uint8Array): void;
  /** The list or table in the response. */
  recordResponseList(list: AnsweredList): void;
  /** A write of the request is stored at this revision. */
  recordStored(revision: number): void;
  /** The Status in the response. */
  recordStatus(status: Status): void;
}

/** The parts of a list in a response. The bytes must not change. */
export interface AnsweredList {
  /** The document without its items and its closing brace: `{"kind":"PodList","apiVersion":"v1","metadata":{…}`. */
  readonly head: string;
  readonly member: "items" | "rows";
  /** Compact JSON of each item without `itemHead`. */
  readonly items: readonly Uint8Array[];
  /** The prefix of every item: its opening brace, and any members that are equal in all. */
  readonly itemHead: Uint8Array;
}

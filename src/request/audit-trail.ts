import type { Status } from "../apimachinery/status.js";

/** How much of a request its audit event tells, as a policy says. Source: the Event type of audit v1. */
export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

/**
 * The audit event of a request while it is made. Absent where nothing is recorded, so that it costs nothing. Functions are called only
 * where the level asks for what they give, and at once.
 */
export interface AuditTrail {
  /** Never `None`: such a request has no trail. */
  readonly level: AuditLevel;
  /** Adds a fact that a decision was made on. The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** Completes what the path says of the object, by the metadata of the one that was sent. */
  identify(object: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  }): void;
  /** The object that was sent, in its version with its defaults, or the patch: compact JSON. */
  recordRequest(json: () => string | Uint8Array): void;
  /** The object that is answered, as the client gets it: compact JSON. */
  recordResponse(json: () => string | Uint8Array): void;
  /** The list or table that is answered. */
  recordResponseList(list: AnsweredList): void;
  /** The Status that is answered. */
  recordStatus(status: Status): void;
}

/** A list in its parts, as it is answered. The bytes must not change. */
export interface AnsweredList {
  /** The document without its items and its closing brace: `{"kind":"PodList","apiVersion":"v1","metadata":{…}`. */
  readonly head: string;
  readonly member: "items" | "rows";
  /** Compact JSON of each item without the opening brace. */
  readonly items: readonly Uint8Array[];
}

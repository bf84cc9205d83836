import type { Status } from "../apimachinery/errors/status.js";
import type { UserInfo } from "../apimachinery/requests/request-info.js";
import type { AuditLevel } from "../request/audit-trail.js";

export type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";

/** JSON text in pieces, some of them shared: they must not change. */
export type JsonPieces = readonly Uint8Array[];

/** The object of a request. Empty fields are not shown. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** A request at one of its stages. Source: the Event type of audit v1. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  /** Undefined when authentication failed. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** The constrained verb by which the user is impersonated, for this request only. */
  readonly impersonationConstraint?: string | undefined;
  readonly sourceAddresses: readonly string[];
  readonly userAgent: string;
  readonly objectRef: AuditedObject | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  readonly requestObject: JsonPieces | undefined;
  readonly responseObject: JsonPieces | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly stageAt: number;
  /** Annotations may be added after this stage, so read them at once. */
  readonly annotations: ReadonlyMap<string, string>;
}

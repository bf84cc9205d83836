/** How much of a request its audit event tells, as a policy says. Source: the Event type of audit v1. */
export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

/** The audit event of a request while it is made. Absent where nothing is recorded, so that it costs nothing. */
export interface AuditTrail {
  /** Never `None`: such a request has no trail. */
  readonly level: AuditLevel;
  /** Adds a fact that a decision was made on. The first value of a key stays. */
  annotate(key: string, value: string): void;
}

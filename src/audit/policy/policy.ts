import type { AuditLevel } from "../../request/audit-trail.js";
import type { AuditStage } from "../audit-event.js";

/** Which requests are recorded, and how fully. Source: the Policy type of audit v1. */
export interface AuditPolicy {
  /** In order of evaluation; the first match decides. */
  readonly rules: readonly PolicyRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** An empty list matches everything. */
export interface PolicyRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** The empty name stands for cluster-scoped resources. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Undefined leaves it to the policy. */
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  readonly group: string;
  /** `pods`, `pods/log`, `pods/*`, `*` followed by `/scale`, or `*`. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** The decision of a policy for one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

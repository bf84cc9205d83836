// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface FlowSchema {
  metadata: ObjectMeta;
  spec: FlowSchemaSpec;
  status: FlowSchemaStatus;
}

export interface FlowSchemaList {
  metadata: ListMeta;
  items?: FlowSchema[] | undefined;
}

export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence: number;
  distinguisherMethod?: FlowDistinguisherMethod | undefined;
  rules?: PolicyRulesWithSubjects[] | undefined;
}

export interface FlowDistinguisherMethod {
  type: string;
}

export interface PriorityLevelConfigurationReference {
  name: string;
}

export interface PolicyRulesWithSubjects {
  subjects?: Subject[] | undefined;
  resourceRules?: ResourcePolicyRule[] | undefined;
  nonResourceRules?: NonResourcePolicyRule[] | undefined;
}

export interface Subject {
  kind: string;
  user?: UserSubject | undefined;
  group?: GroupSubject | undefined;
  serviceAccount?: ServiceAccountSubject | undefined;
}

export interface UserSubject {
  name: string;
}

export interface GroupSubject {
  name: string;
}

export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}

export interface ResourcePolicyRule {
  verbs?: string[] | undefined;
  apiGroups?: string[] | undefined;
  resources?: string[] | undefined;
  clusterScope?: boolean | undefined;
  namespaces?: string[] | undefined;
}

export interface NonResourcePolicyRule {
  verbs?: string[] | undefined;
  nonResourceURLs?: string[] | undefined;
}

export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[] | undefined;
}

export interface FlowSchemaCondition {
  type?: string | undefined;
  status?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface PriorityLevelConfiguration {
  metadata: ObjectMeta;
  spec: PriorityLevelConfigurationSpec;
  status: PriorityLevelConfigurationStatus;
}

export interface PriorityLevelConfigurationList {
  metadata: ListMeta;
  items?: PriorityLevelConfiguration[] | undefined;
}

export interface PriorityLevelConfigurationSpec {
  type: string;
  limited?: LimitedPriorityLevelConfiguration | undefined;
  exempt?: ExemptPriorityLevelConfiguration | undefined;
}

export interface LimitedPriorityLevelConfiguration {
  nominalConcurrencyShares: number;
  limitResponse: LimitResponse;
  lendablePercent?: number | undefined;
  borrowingLimitPercent?: number | undefined;
}

export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number | undefined;
  lendablePercent?: number | undefined;
}

export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration | undefined;
}

export interface QueuingConfiguration {
  queues: number;
  handSize: number;
  queueLengthLimit: number;
}

export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[] | undefined;
}

export interface PriorityLevelConfigurationCondition {
  type?: string | undefined;
  status?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta } from "./meta-v1.js";

export interface SubjectAccessReview {
  metadata: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

export interface SelfSubjectAccessReview {
  metadata: ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

export interface LocalSubjectAccessReview {
  metadata: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

export interface ResourceAttributes {
  namespace?: string | undefined;
  verb?: string | undefined;
  group?: string | undefined;
  version?: string | undefined;
  resource?: string | undefined;
  subresource?: string | undefined;
  name?: string | undefined;
  fieldSelector?: FieldSelectorAttributes | undefined;
  labelSelector?: LabelSelectorAttributes | undefined;
}

export interface NonResourceAttributes {
  path?: string | undefined;
  verb?: string | undefined;
}

export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes | undefined;
  nonResourceAttributes?: NonResourceAttributes | undefined;
  user?: string | undefined;
  groups?: string[] | undefined;
  extra?: { [key: string]: string[] } | undefined;
  uid?: string | undefined;
}

export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes | undefined;
  nonResourceAttributes?: NonResourceAttributes | undefined;
}

export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean | undefined;
  reason?: string | undefined;
  evaluationError?: string | undefined;
}

export interface SelfSubjectRulesReview {
  metadata: ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status: SubjectRulesReviewStatus;
}

export interface SelfSubjectRulesReviewSpec {
  namespace?: string | undefined;
}

export interface SubjectRulesReviewStatus {
  resourceRules?: ResourceRule[] | undefined;
  nonResourceRules?: NonResourceRule[] | undefined;
  incomplete: boolean;
  evaluationError?: string | undefined;
}

export interface ResourceRule {
  verbs?: string[] | undefined;
  apiGroups?: string[] | undefined;
  resources?: string[] | undefined;
  resourceNames?: string[] | undefined;
}

export interface NonResourceRule {
  verbs?: string[] | undefined;
  nonResourceURLs?: string[] | undefined;
}

export interface FieldSelectorAttributes {
  rawSelector?: string | undefined;
  requirements?: FieldSelectorRequirement[] | undefined;
}

export interface LabelSelectorAttributes {
  rawSelector?: string | undefined;
  requirements?: LabelSelectorRequirement[] | undefined;
}

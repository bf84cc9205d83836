// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { Condition, LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface ApplyConfiguration {
  expression?: string | undefined;
}

export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}

export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}

export interface JSONPatch {
  expression?: string | undefined;
}

export interface MatchCondition {
  name: string;
  expression: string;
}

export interface MatchResources {
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  resourceRules?: NamedRuleWithOperations[] | undefined;
  excludeResourceRules?: NamedRuleWithOperations[] | undefined;
  matchPolicy?: OpenEnum<"Exact" | "Equivalent"> | undefined;
}

export interface MutatingAdmissionPolicy {
  metadata: ObjectMeta;
  spec: MutatingAdmissionPolicySpec;
}

export interface MutatingAdmissionPolicyBinding {
  metadata: ObjectMeta;
  spec: MutatingAdmissionPolicyBindingSpec;
}

export interface MutatingAdmissionPolicyBindingList {
  metadata: ListMeta;
  items?: MutatingAdmissionPolicyBinding[] | undefined;
}

export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string | undefined;
  paramRef?: ParamRef | undefined;
  matchResources?: MatchResources | undefined;
}

export interface MutatingAdmissionPolicyList {
  metadata: ListMeta;
  items?: MutatingAdmissionPolicy[] | undefined;
}

export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind | undefined;
  matchConstraints?: MatchResources | undefined;
  variables?: Variable[] | undefined;
  mutations?: Mutation[] | undefined;
  failurePolicy?: OpenEnum<"Ignore" | "Fail"> | undefined;
  matchConditions?: MatchCondition[] | undefined;
  reinvocationPolicy?: OpenEnum<"Never" | "IfNeeded"> | undefined;
}

export interface Mutation {
  patchType: OpenEnum<"ApplyConfiguration" | "JSONPatch">;
  applyConfiguration?: ApplyConfiguration | undefined;
  jsonPatch?: JSONPatch | undefined;
}

export interface NamedRuleWithOperations {
  resourceNames?: string[] | undefined;
  operations?: OpenEnum<"*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT">[] | undefined;
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: OpenEnum<"Cluster" | "Namespaced" | "*"> | undefined;
}

export interface ParamKind {
  apiVersion?: string | undefined;
  kind?: string | undefined;
}

export interface ParamRef {
  name?: string | undefined;
  namespace?: string | undefined;
  selector?: LabelSelector | undefined;
  parameterNotFoundAction?: OpenEnum<"Allow" | "Deny"> | undefined;
}

export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[] | undefined;
}

export interface ValidatingAdmissionPolicy {
  metadata: ObjectMeta;
  spec: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus | undefined;
}

export interface ValidatingAdmissionPolicyBinding {
  metadata: ObjectMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
}

export interface ValidatingAdmissionPolicyBindingList {
  metadata: ListMeta;
  items?: ValidatingAdmissionPolicyBinding[] | undefined;
}

export interface ValidatingAdmissionPolicyBindingSpec {
  policyName?: string | undefined;
  paramRef?: ParamRef | undefined;
  matchResources?: MatchResources | undefined;
  validationActions?: OpenEnum<"Deny" | "Warn" | "Audit">[] | undefined;
}

export interface ValidatingAdmissionPolicyList {
  metadata: ListMeta;
  items?: ValidatingAdmissionPolicy[] | undefined;
}

export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind | undefined;
  matchConstraints?: MatchResources | undefined;
  validations?: Validation[] | undefined;
  failurePolicy?: OpenEnum<"Ignore" | "Fail"> | undefined;
  auditAnnotations?: AuditAnnotation[] | undefined;
  matchConditions?: MatchCondition[] | undefined;
  variables?: Variable[] | undefined;
}

export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: number | bigint | undefined;
  typeChecking?: TypeChecking | undefined;
  conditions?: Condition[] | undefined;
}

export interface Validation {
  expression: string;
  message?: string | undefined;
  reason?: string | undefined;
  messageExpression?: string | undefined;
}

export interface Variable {
  name: string;
  expression: string;
}

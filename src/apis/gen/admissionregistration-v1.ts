// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface Rule {
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: OpenEnum<"Cluster" | "Namespaced" | "*"> | undefined;
}

export interface ValidatingWebhookConfiguration {
  metadata: ObjectMeta;
  webhooks?: ValidatingWebhook[] | undefined;
}

export interface ValidatingWebhookConfigurationList {
  metadata: ListMeta;
  items?: ValidatingWebhookConfiguration[] | undefined;
}

export interface MutatingWebhookConfiguration {
  metadata: ObjectMeta;
  webhooks?: MutatingWebhook[] | undefined;
}

export interface MutatingWebhookConfigurationList {
  metadata: ListMeta;
  items?: MutatingWebhookConfiguration[] | undefined;
}

export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[] | undefined;
  failurePolicy?: OpenEnum<"Ignore" | "Fail"> | undefined;
  matchPolicy?: OpenEnum<"Exact" | "Equivalent"> | undefined;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  sideEffects?: OpenEnum<"Unknown" | "None" | "Some" | "NoneOnDryRun"> | undefined;
  timeoutSeconds?: number | undefined;
  admissionReviewVersions?: string[] | undefined;
}

export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[] | undefined;
  failurePolicy?: OpenEnum<"Ignore" | "Fail"> | undefined;
  matchPolicy?: OpenEnum<"Exact" | "Equivalent"> | undefined;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  sideEffects?: OpenEnum<"Unknown" | "None" | "Some" | "NoneOnDryRun"> | undefined;
  timeoutSeconds?: number | undefined;
  admissionReviewVersions?: string[] | undefined;
  reinvocationPolicy?: OpenEnum<"Never" | "IfNeeded"> | undefined;
}

export interface RuleWithOperations {
  operations?: OpenEnum<"*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT">[] | undefined;
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: OpenEnum<"Cluster" | "Namespaced" | "*"> | undefined;
}

export interface WebhookClientConfig {
  url?: string | undefined;
  service?: ServiceReference | undefined;
  caBundle?: string | undefined;
}

export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string | undefined;
  port?: number | undefined;
}

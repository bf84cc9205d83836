// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface Rule {
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: string | undefined;
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
  failurePolicy?: string | undefined;
  matchPolicy?: string | undefined;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  sideEffects?: string | undefined;
  timeoutSeconds?: number | undefined;
  admissionReviewVersions?: string[] | undefined;
}

export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[] | undefined;
  failurePolicy?: string | undefined;
  matchPolicy?: string | undefined;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  sideEffects?: string | undefined;
  timeoutSeconds?: number | undefined;
  admissionReviewVersions?: string[] | undefined;
  reinvocationPolicy?: string | undefined;
}

export interface RuleWithOperations {
  operations?: string[] | undefined;
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: string | undefined;
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

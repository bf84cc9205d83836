import type { MutatingWebhook, ValidatingWebhook } from "../gen/admissionregistration-v1.js";

/** Defaults that mutating and validating webhooks share. */
export type Webhook = MutatingWebhook | ValidatingWebhook;

export function setWebhookDefaults(webhook: Webhook, isMutating: boolean): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (isMutating) Object.assign(webhook, { reinvocationPolicy: reinvocationPolicyOf(webhook) ?? "Never" });
  const { service } = webhook.clientConfig;
  if (service !== undefined) service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
}

export function reinvocationPolicyOf(webhook: Webhook): string | undefined {
  return "reinvocationPolicy" in webhook ? webhook.reinvocationPolicy : undefined;
}

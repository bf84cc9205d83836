import type { WebhookCaller } from "../../admission/webhooks/webhook-caller.js";

/** Waits before a webhook of this name is called, or until `signal` aborts. */
export type WebhookDelay = (webhook: string, signal: AbortSignal) => Promise<void>;

/** Delays calls to webhooks; one that then exceeds its timeout fails as usual. */
export function delayedWebhooks(caller: WebhookCaller, delay: WebhookDelay): WebhookCaller {
  return {
    async call(webhook, review, signal) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), webhook.timeoutMs);
      try {
        await delay(webhook.name, AbortSignal.any([signal, late.signal]));
      } finally {
        clearTimeout(timer);
      }
      if (late.signal.aborted) throw new Error("failed to call webhook: context deadline exceeded");
      return await caller.call(webhook, review, signal);
    },
  };
}

import { setMaxListeners } from "node:events";
import type { TokenMechanism } from "../../access/authentication/authenticator.js";
import { createTokenWebhookMechanism } from "../../access/authentication/token-webhook.js";
import { builtinTypes } from "../../apis/builtin-types.js";
import type { TokenReview } from "../../apis/gen/authentication-v1.js";
import type { Naming } from "../../naming/naming.js";
import { webhookBackoff } from "../../remote/backoff.js";
import type { Dial } from "../../remote/remote-client.js";
import { Webhook } from "../../remote/webhook.js";
import type { Logger } from "../../telemetry/logger.js";
import { openWebhookClient } from "../connections/webhook-client.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import type { AuthenticationMetrics } from "./authentication-metrics.js";

export interface TokenWebhook {
  readonly mechanism: TokenMechanism;
  close(): Promise<void>;
}

/** Time limit of one attempt, as in Kubernetes. */
const timeoutMs = 30_000;

/** Undefined without `--authentication-token-webhook-config-file`. Rejects with an `Error` that names the option. */
export async function loadTokenWebhook(
  {
    options,
    naming,
    log,
    dial,
    metrics,
  }: {
    readonly options: Options;
    readonly naming: Naming;
    readonly log: Logger;
    readonly dial: Dial | undefined;
    readonly metrics: AuthenticationMetrics;
  },
  apiAudiences: readonly string[],
): Promise<TokenWebhook | undefined> {
  const { authenticationTokenWebhookConfigFile: file } = options;
  if (file === undefined) return undefined;
  const client = await forOption("authentication-token-webhook-config-file", naming, () =>
    openWebhookClient({ file, dial, log, name: "the token webhook" }),
  );
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // every review is one
  const version = options.authenticationTokenWebhookVersion;
  const codec = builtinTypes(naming, options.apiLevel).codec<TokenReview>(
    `authentication/${version}.TokenReview`,
  );
  const webhook = new Webhook({ codec, client, backoff: webhookBackoff(), timeoutMs, random: Math.random });
  return {
    mechanism: createTokenWebhookMechanism({
      // Several requests may share the answer, so none of them aborts the call.
      post: (review) => webhook.post(review, stopping.signal),
      apiVersion: `${naming.group("authentication")}/${version}`,
      apiAudiences,
      cacheTtlMs: options.authenticationTokenWebhookCacheTtlMs,
      now: () => performance.now(),
      observer: metrics.tokenCache,
    }),
    async close() {
      stopping.abort();
      await client.close();
    },
  };
}

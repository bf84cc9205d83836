import { readFile } from "node:fs/promises";
import { abacAuthorizer } from "../../access/authorization/abac-policy.js";
import { WebhookAuthorizer } from "../../access/authorization/webhook-authorizer.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { Naming } from "../../naming/naming.js";
import type { ConfiguredClient } from "../../remote/configured-client.js";
import type { Dial } from "../../remote/remote-client.js";
import type { Logger } from "../../telemetry/logger.js";
import { openWebhookClient } from "../connections/webhook-client.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { accessReviewWebhook } from "./access-review-webhook.js";

/** The authorizers configured by files. */
export interface LoadedAuthorizers {
  readonly abac: Authorizer | undefined;
  readonly webhook: Authorizer | undefined;
  close(): Promise<void>;
}

interface LoadParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly log: Logger;
  /** Connects to the webhook; undefined connects directly. */
  readonly dial: Dial | undefined;
}

/** Time limit of one attempt, as in Kubernetes. */
const timeoutMs = 30_000;

/** Rejects with an `Error` that names the option. */
export async function loadAuthorizers(parts: LoadParts): Promise<LoadedAuthorizers> {
  const abac = await loadAbac(parts);
  const client = await loadWebhookClient(parts);
  return {
    abac,
    webhook: client && webhookOf(client, parts),
    close: async () => await client?.close(),
  };
}

async function loadAbac({ options, naming }: LoadParts): Promise<Authorizer | undefined> {
  const { authorizationPolicyFile: file } = options;
  if (file === undefined) return undefined;
  return await forOption("authorization-policy-file", naming, async () => {
    const text = await readFile(file, "utf8");
    try {
      return abacAuthorizer(text, `abac.authorization.${naming.domain}`);
    } catch (error) {
      throw new Error(`${file}, ${messageOf(error)}`);
    }
  });
}

async function loadWebhookClient({
  options,
  naming,
  log,
  dial,
}: LoadParts): Promise<ConfiguredClient | undefined> {
  const { authorizationWebhookConfigFile: file } = options;
  if (file === undefined) return undefined;
  return await forOption("authorization-webhook-config-file", naming, () =>
    openWebhookClient({ file, dial, log, name: "the authorization webhook" }),
  );
}

function webhookOf(client: ConfiguredClient, { options, naming, log }: LoadParts): Authorizer {
  const version = options.authorizationWebhookVersion;
  return new WebhookAuthorizer({
    post: accessReviewWebhook({ options, naming }, { client, version, timeoutMs }),
    group: naming.group("authorization"),
    version,
    authorizedTtlMs: options.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedTtlMs: options.authorizationWebhookCacheUnauthorizedTtlMs,
    now: () => performance.now(),
    onFailure: (error) => log.warn("the authorization webhook did not answer", { problem: error.message }),
  });
}

import { ConfiguredClient } from "../../remote/configured-client.js";
import type { Dial } from "../../remote/remote-client.js";
import type { Logger } from "../../telemetry/logger.js";

export interface WebhookClientParts {
  /** The client configuration, which is reloaded when it changes. */
  readonly file: string;
  /** Undefined connects directly. */
  readonly dial?: Dial | undefined;
  readonly log: Pick<Logger, "warn">;
  /** Of the webhook, for the log: `the token webhook`. */
  readonly name: string;
}

/** The client of a webhook that a file configures. Rejects with what is wrong with the file. */
export function openWebhookClient({ file, dial, log, name }: WebhookClientParts): Promise<ConfiguredClient> {
  return ConfiguredClient.open({
    file,
    dial,
    now: () => performance.now(),
    onProblem: (error) =>
      log.warn(`the changed configuration of ${name} cannot be used; the previous one stays in use`, {
        problem: error.message,
      }),
  });
}

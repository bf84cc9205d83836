import type { PluginConfigurations } from "../../admission/configuration/admission-configuration.js";
import { readImagePolicyConfiguration } from "../../admission/image-policy/configuration.js";
import type { AdmissionPluginName } from "../../admission/plugin-table.js";
import type { ImageReviewer } from "../../admission/plugins/plugin-context.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { ImageReview } from "../../apis/gen/imagepolicy-v1alpha1.js";
import { webhookBackoff } from "../../remote/backoff.js";
import { Webhook } from "../../remote/webhook.js";
import type { Logger } from "../../telemetry/logger.js";
import { admissionPluginSelection } from "../options/groups/admission.js";
import type { Options } from "../options/options.js";
import { openWebhookClient } from "./webhook-client.js";

/** The service that reviews images, with its own connections. */
export interface ImagePolicyWebhook extends ImageReviewer {
  close(): Promise<void>;
}

const plugin: AdmissionPluginName = "ImagePolicyWebhook";
/** Time limit of one attempt, as in Kubernetes. */
const timeoutMs = 30_000;

/** Undefined when the plugin is not in force. Rejects with an `Error` that names it. */
export async function openImagePolicyWebhook(
  options: Options,
  {
    configurations,
    schemas,
    log,
  }: {
    readonly configurations: PluginConfigurations;
    readonly schemas: SchemaRegistry;
    readonly log: Logger;
  },
): Promise<ImagePolicyWebhook | undefined> {
  if (!admissionPluginSelection(options).enabled.includes(plugin)) return undefined;
  try {
    const { kubeConfigFile, retryBackoffMs } = readImagePolicyConfiguration(configurations.get(plugin));
    const client = await openWebhookClient({
      file: kubeConfigFile,
      log,
      name: "the image policy webhook",
    });
    const webhook = new Webhook({
      codec: schemas.codec<ImageReview>("imagepolicy/v1alpha1.ImageReview"),
      client,
      backoff: webhookBackoff(retryBackoffMs),
      timeoutMs,
      random: Math.random,
    });
    return {
      review: (review, signal) => webhook.post(review, signal),
      failed: (problem, isIgnored) =>
        log.warn("the image policy webhook did not answer", { problem, ignored: isIgnored }),
      close: () => client.close(),
    };
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`couldn't init admission plugin "${plugin}": ${reason}`, { cause: error });
  }
}

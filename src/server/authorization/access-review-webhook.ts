import type { WebhookAuthorizerSettings } from "../../access/authorization/webhook-authorizer.js";
import { builtinTypes } from "../../apis/builtin-types.js";
import type { SubjectAccessReview } from "../../apis/gen/authorization-v1.js";
import type { Naming } from "../../naming/naming.js";
import { webhookBackoff } from "../../remote/backoff.js";
import { Webhook, type WebhookOptions } from "../../remote/webhook.js";
import type { Options } from "../options/options.js";

/** The `post` of a `WebhookAuthorizer`: sends SubjectAccessReviews in a version. */
export function accessReviewWebhook(
  { options, naming }: { readonly options: Options; readonly naming: Naming },
  {
    version,
    ...reached
  }: Pick<WebhookAuthorizerSettings, "version"> &
    Pick<WebhookOptions<SubjectAccessReview>, "client" | "timeoutMs">,
): WebhookAuthorizerSettings["post"] {
  const types = builtinTypes(naming, options.apiLevel);
  const webhook = new Webhook({
    ...reached,
    codec: types.codec<SubjectAccessReview>(`authorization/${version}.SubjectAccessReview`),
    backoff: webhookBackoff(),
    random: Math.random,
  });
  return (review, signal) => webhook.post(review, signal);
}

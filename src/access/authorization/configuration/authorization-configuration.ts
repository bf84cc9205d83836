import {
  type ConfigurationTerms,
  fields,
  flag,
  list,
  readConfiguration,
  type ShapeValue,
  text,
} from "../../../apimachinery/validation/configuration-shape.js";
import { parseDuration } from "../../../apimachinery/values/duration.js";

const webhook = fields({
  authorizedTTL: text,
  cacheAuthorizedRequests: { ...flag, since: "1.34" },
  unauthorizedTTL: text,
  cacheUnauthorizedRequests: { ...flag, since: "1.34" },
  timeout: text,
  subjectAccessReviewVersion: text,
  matchConditionSubjectAccessReviewVersion: text,
  failurePolicy: text,
  connectionInfo: fields({ type: text, kubeConfigFile: text }),
  matchConditions: list(fields({ expression: text })),
});

const authorizationConfiguration = fields({
  authorizers: list(fields({ type: text, name: text, webhook })),
});

/**
 * As written in the file, with defaults. Source: Kubernetes documentation, "Authorization", "Configuring the API Server using an
 * Authorization Config File".
 */
export type AuthorizationConfiguration = ShapeValue<typeof authorizationConfiguration>;
export type WebhookConfiguration = ShapeValue<typeof webhook>;

/** Decodes the document of a file. Throws an `Error` that names what is wrong. */
export function readAuthorizationConfiguration(
  document: unknown,
  terms: ConfigurationTerms,
): AuthorizationConfiguration {
  const { authorizers = [] } = readConfiguration(
    document,
    {
      kind: "AuthorizationConfiguration",
      versions: { v1alpha1: {}, v1beta1: { since: "1.30" }, v1: { since: "1.32" } },
      shape: authorizationConfiguration,
    },
    terms,
  );
  return {
    authorizers: authorizers.map((authorizer) =>
      authorizer.webhook === undefined
        ? authorizer
        : { ...authorizer, webhook: withDefaults(authorizer.webhook) },
    ),
  };
}

/** As in Kubernetes, 0 means the default too: `cacheAuthorizedRequests` and `cacheUnauthorizedRequests` turn caching off. */
function withDefaults(configured: WebhookConfiguration): WebhookConfiguration {
  const { authorizedTTL = "0", unauthorizedTTL = "0" } = configured;
  return {
    ...configured,
    authorizedTTL: parseDuration(authorizedTTL) === 0n ? "5m" : authorizedTTL,
    unauthorizedTTL: parseDuration(unauthorizedTTL) === 0n ? "30s" : unauthorizedTTL,
  };
}

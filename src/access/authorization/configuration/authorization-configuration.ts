import {
  type ConfigurationTerms,
  fields,
  flag,
  list,
  readConfiguration,
  type ShapeValue,
  text,
} from "../../../apimachinery/validation/configuration-shape.js";

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
 * As written in the file. Source: Kubernetes documentation, "Authorization", "Configuring the API Server using an Authorization Config
 * File".
 */
export type AuthorizationConfiguration = ShapeValue<typeof authorizationConfiguration>;
export type WebhookConfiguration = ShapeValue<typeof webhook>;

/** Decodes the document of a file. Throws an `Error` that names what is wrong. */
export function readAuthorizationConfiguration(
  document: unknown,
  terms: ConfigurationTerms,
): AuthorizationConfiguration {
  return readConfiguration(
    document,
    {
      kind: "AuthorizationConfiguration",
      versions: { v1alpha1: {}, v1beta1: { since: "1.30" }, v1: { since: "1.32" } },
      shape: authorizationConfiguration,
    },
    terms,
  );
}

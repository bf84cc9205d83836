import {
  type ConfigurationTerms,
  fields,
  flag,
  list,
  readConfiguration,
  type ShapeValue,
  text,
} from "../../../apimachinery/validation/configuration-shape.js";

const claimOrExpression = fields({ claim: text, expression: text });
const prefixedClaimOrExpression = fields({ claim: text, prefix: text, expression: text });

const jwtAuthenticator = fields({
  issuer: fields({
    url: text,
    discoveryURL: { ...text, since: "1.30" },
    certificateAuthority: text,
    audiences: list(text),
    audienceMatchPolicy: { ...text, since: "1.30" },
    egressSelectorType: { ...text, since: "1.34" },
  }),
  claimValidationRules: list(fields({ claim: text, requiredValue: text, expression: text, message: text })),
  claimMappings: fields({
    username: prefixedClaimOrExpression,
    groups: prefixedClaimOrExpression,
    uid: claimOrExpression,
    extra: list(fields({ key: text, valueExpression: text })),
  }),
  userValidationRules: list(fields({ expression: text, message: text })),
});

const authenticationConfiguration = fields({
  jwt: list(jwtAuthenticator),
  anonymous: { ...fields({ enabled: flag, conditions: list(fields({ path: text })) }), since: "1.31" },
});

/** As written in the file. Source: Kubernetes documentation, "Using Authentication Configuration". */
export type AuthenticationConfiguration = ShapeValue<typeof authenticationConfiguration>;
export type JwtAuthenticator = ShapeValue<typeof jwtAuthenticator>;

/** Decodes the document of a file. Throws an `Error` that names what is wrong. */
export function readAuthenticationConfiguration(
  document: unknown,
  terms: ConfigurationTerms,
): AuthenticationConfiguration {
  return readConfiguration(
    document,
    {
      kind: "AuthenticationConfiguration",
      versions: { v1alpha1: {}, v1beta1: { since: "1.30" }, v1: { since: "1.34" } },
      shape: authenticationConfiguration,
    },
    terms,
  );
}

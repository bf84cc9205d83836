import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import {
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

/** As it stands in the file. Source: Kubernetes documentation, "Using Authentication Configuration". */
export type AuthenticationConfiguration = ShapeValue<typeof authenticationConfiguration>;
export type JwtAuthenticator = ShapeValue<typeof jwtAuthenticator>;

/** Decodes the document of a file. `group` is that of configurations. Throws an `Error` that names what is wrong. */
export function readAuthenticationConfiguration(
  document: unknown,
  { group, level }: { readonly group: string; readonly level: ApiLevel },
): AuthenticationConfiguration {
  const versions = [
    "v1alpha1",
    ...(isAtLeast(level, "1.30") ? ["v1beta1"] : []),
    ...(isAtLeast(level, "1.34") ? ["v1"] : []),
  ];
  return readConfiguration(document, {
    kind: "AuthenticationConfiguration",
    apiVersions: versions.map((version) => `${group}/${version}`),
    level,
    shape: authenticationConfiguration,
  });
}

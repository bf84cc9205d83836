import type { CombinationRule, RuleContext } from "./combination-rule.js";
import { FeatureGates } from "./feature-gates.js";
import type { OptionName } from "./options.js";

/** Rules of authentication, authorization and the tokens of service accounts. */
export const accessRules: readonly CombinationRule[] = [
  uidHeadersNeedGate,
  authenticationConfigAlone,
  authorizationConfigAlone,
  authorizationFilesMatchModes,
  signingKeyHasIssuerAndVerifiers,
  signingEndpointAlone,
];

/** Options that the file of `--authentication-config` replaces. */
const oidcOptions: readonly OptionName[] = [
  "oidc-issuer-url",
  "oidc-client-id",
  "oidc-ca-file",
  "oidc-username-claim",
  "oidc-username-prefix",
  "oidc-groups-claim",
  "oidc-groups-prefix",
  "oidc-signing-algs",
  "oidc-required-claim",
];

/** Options that the file of `--authorization-config` replaces. */
const authorizationOptions: readonly OptionName[] = [
  "authorization-mode",
  "authorization-webhook-config-file",
  "authorization-webhook-version",
  "authorization-webhook-cache-authorized-ttl",
  "authorization-webhook-cache-unauthorized-ttl",
];

function uidHeadersNeedGate({ options, flag, naming }: RuleContext): string | undefined {
  if (options.requestheaderUidHeaders.length === 0) return undefined;
  const gates = new FeatureGates(options.featureGates, options.apiLevel);
  return gates.isEnabled("RemoteRequestHeaderUID")
    ? undefined
    : `${flag("requestheader-uid-headers")}: requires the ${JSON.stringify(naming.featureGate("RemoteRequestHeaderUID"))} feature to be enabled`;
}

function authenticationConfigAlone({ options, flag, naming, isGiven }: RuleContext): string | undefined {
  if (options.authenticationConfig === undefined) return undefined;
  const option = flag("authentication-config");
  const gate = "StructuredAuthenticationConfiguration";
  if (!new FeatureGates(options.featureGates, options.apiLevel).isEnabled(gate)) {
    return `${option}: set ${flag("feature-gates")}=${naming.featureGate(gate)}=true to use it`;
  }
  return oidcOptions.some(isGiven)
    ? `${option}: authentication-config file and oidc-* flags are mutually exclusive`
    : undefined;
}

function authorizationConfigAlone({ options, flag, naming, isGiven }: RuleContext): string | undefined {
  if (options.authorizationConfig === undefined) return undefined;
  const option = flag("authorization-config");
  const gate = "StructuredAuthorizationConfiguration";
  if (!new FeatureGates(options.featureGates, options.apiLevel).isEnabled(gate)) {
    return `${option}: cannot be used without enabling the ${naming.featureGate(gate)} feature flag`;
  }
  return authorizationOptions.some(isGiven)
    ? `${option}: can not be specified when ${flag("authorization-mode")} or --authorization-webhook-* flags are defined`
    : undefined;
}

function authorizationFilesMatchModes({ options, flag }: RuleContext): string | undefined {
  const files = [
    { name: "authorization-policy-file", file: options.authorizationPolicyFile, mode: "ABAC" },
    {
      name: "authorization-webhook-config-file",
      file: options.authorizationWebhookConfigFile,
      mode: "Webhook",
    },
  ] as const;
  for (const { name, file, mode } of files) {
    const selected = options.authorizationMode.includes(mode);
    // The file of `--authorization-config` may contain ABAC.
    if (mode === "ABAC" && options.authorizationConfig !== undefined) continue;
    if (selected && file === undefined) {
      return `${flag(name)}: required with ${flag("authorization-mode")} ${mode}`;
    }
    if (!selected && file !== undefined) {
      return `${flag(name)}: cannot be specified without ${flag("authorization-mode")} ${mode}`;
    }
  }
  return undefined;
}

function signingKeyHasIssuerAndVerifiers({ options, flag }: RuleContext): string | undefined {
  if (options.serviceAccountSigningKeyFile === undefined) return undefined;
  const required = `required when ${flag("service-account-signing-key-file")} is given`;
  if (options.serviceAccountIssuer.length === 0) return `${flag("service-account-issuer")}: ${required}`;
  if (options.serviceAccountKeyFile.length === 0) return `${flag("service-account-key-file")}: ${required}`;
  return undefined;
}

function signingEndpointAlone({ options, flag, naming }: RuleContext): string | undefined {
  if (options.serviceAccountSigningEndpoint === undefined) return undefined;
  const option = flag("service-account-signing-endpoint");
  if (options.serviceAccountSigningKeyFile !== undefined || options.serviceAccountKeyFile.length > 0) {
    return `${option}: cannot be set together with ${flag("service-account-signing-key-file")} or ${flag("service-account-key-file")}`;
  }
  const gate = "ExternalServiceAccountTokenSigner";
  return new FeatureGates(options.featureGates, options.apiLevel).isEnabled(gate)
    ? undefined
    : `${option}: requires enabling the ${naming.featureGate(gate)} feature gate`;
}

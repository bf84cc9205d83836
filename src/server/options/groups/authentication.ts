import { signingAlgorithms } from "../../../access/authentication/oidc/signing-algorithms.js";
import { httpsUrl, noBlankItems, notNegative } from "../checks.js";
import { keyValue } from "../key-value-types.js";
import { optionGroup } from "../option.js";
import { bool, choice, choices, custom, duration, stringArray, strings, text } from "../value-types.js";

const hourMs = 3_600_000;

export const authentication = optionGroup("Authentication", {
  "anonymous-auth": bool({
    default: true,
    help: "Accept requests that no other authentication method has rejected, as user system:anonymous in group system:unauthenticated. With the authorization mode AlwaysAllow, such requests reach only the health checks.",
  }),
  "client-ca-file": text({
    help: "File with CA certificates. A client whose certificate is signed by one of them is authenticated as the user in its common name.",
  }),
  "token-auth-file": text({ help: "File with static bearer tokens and their users." }),
  "enable-bootstrap-token-auth": bool({
    help: "Accept bootstrap tokens, which are secrets of the system namespace that nodes use to join the cluster.",
  }),
  "service-account-issuer": stringArray({
    help: "Issuer of service account tokens: a string or URI, preferably an https URL. May be repeated: new tokens name the first one, and tokens of all are accepted.",
    check: issuers,
  }),
  "service-account-key-file": stringArray({
    help: "File with PEM-encoded RSA or ECDSA keys or certificates that verify service account tokens. May be repeated. Defaults to the key of --tls-private-key-file. Required with --service-account-signing-key-file.",
    check: noBlankItems,
  }),
  "service-account-signing-key-file": text({
    help: "File with the private key that signs service account tokens.",
  }),
  "service-account-signing-endpoint": text({
    since: "1.32",
    help: "Unix socket of an external signer, which signs service account tokens and provides the keys that verify them: a path, or @NAME for an abstract socket. Replaces --service-account-signing-key-file and --service-account-key-file.",
    check: (value, flag) =>
      value.startsWith("@") && !/^@([\w-]+\.)*[\w-]+$/.test(value)
        ? `${flag}: when prefixed with @ must be a valid abstract socket name`
        : undefined,
  }),
  "service-account-lookup": bool({
    default: true,
    help: "Accept a service account token of a secret only while the secret exists in the store.",
  }),
  "service-account-max-token-expiration": duration({
    help: "Maximum lifetime of a service account token. A longer requested lifetime is shortened to it. When not given, there is no maximum.",
    check: (ms, flag) =>
      ms !== 0 && (ms < hourMs || ms > 2 ** 32 * 1000)
        ? `${flag} must be between 1 hour and 2^32 seconds`
        : undefined,
  }),
  "service-account-extend-token-expiration": bool({
    default: true,
    help: "Extend the lifetime of tokens that admission injects into pods to up to a year, regardless of --service-account-max-token-expiration.",
  }),
  "service-account-jwks-uri": text({
    help: "URL of the JSON Web Key Set in the issuer's discovery document. Defaults to this server's own.",
    check: httpsUrl,
  }),
  "api-audiences": strings({
    help: "Audiences of the API. A service account token must be bound to one of them. Defaults to the issuer of --service-account-issuer.",
    check: noBlankItems,
  }),
  "service-account-api-audiences": strings({
    until: "1.25",
    deprecatedSince: "1.24",
    help: "Deprecated: use --api-audiences. The values of both are combined.",
    check: noBlankItems,
  }),
  "oidc-issuer-url": text({
    help: "URL of the OpenID Connect issuer whose ID tokens are accepted. Must be https.",
    check: httpsUrl,
  }),
  "oidc-client-id": text({
    help: "Client ID for which OpenID Connect ID tokens must be issued. Required with --oidc-issuer-url.",
  }),
  "oidc-ca-file": text({
    help: "File with CA certificates that verify the OpenID Connect issuer. Defaults to the host's root CAs.",
  }),
  "oidc-username-claim": text({
    default: "sub",
    help: "OpenID Connect claim to use as the user name.",
  }),
  "oidc-username-prefix": text({
    help: "Prefix for OpenID Connect user names, or - for none. When not given, the issuer URL is the prefix, except for the claim email.",
  }),
  "oidc-groups-claim": text({
    help: "OpenID Connect claim with the user's groups: a string or a list of strings.",
  }),
  "oidc-groups-prefix": text({ help: "Prefix for OpenID Connect groups." }),
  "oidc-required-claim": custom(keyValue, {
    default: new Map(),
    help: "Claim that an OpenID Connect ID token must have, with this value. May be repeated.",
  }),
  "oidc-signing-algs": choices(signingAlgorithms, {
    itemName: "signing algorithm",
    default: ["RS256"],
    help: "Signing algorithms accepted for OpenID Connect ID tokens: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.",
  }),
  "authentication-config": text({
    since: "1.29",
    help: "File with an AuthenticationConfiguration: JWT issuers, the mapping of their claims to users, and the paths that accept anonymous requests. Reloaded when it changes. Cannot be combined with --oidc-* options. Needs the feature gate StructuredAuthenticationConfiguration.",
  }),
  "authentication-token-webhook-config-file": text({
    help: "Kubeconfig file for the webhook that authenticates bearer tokens.",
  }),
  "authentication-token-webhook-cache-ttl": duration({
    default: "2m0s",
    help: "How long to cache the token webhook's responses.",
    check: notNegative,
  }),
  "authentication-token-webhook-version": choice(["v1beta1", "v1"], {
    default: "v1beta1",
    help: "API version of the TokenReview sent to the token webhook: v1beta1 or v1.",
  }),
  "requestheader-client-ca-file": text({
    help: "File with CA certificates for front proxies. A proxy with a client certificate signed by one of them may name the user in request headers. When no front-proxy option is given, the server creates a CA for its own proxy client certificate at its first start.",
  }),
  "requestheader-allowed-names": strings({
    help: "Common names of the client certificates that front proxies may use. Empty allows any valid certificate.",
    check: noBlankItems,
  }),
  "requestheader-username-headers": strings({
    help: "Request headers with the user name, in the order in which they are tried. X-Remote-User is common.",
    check: noBlankItems,
  }),
  "requestheader-group-headers": strings({
    help: "Request headers with groups. X-Remote-Group is suggested.",
    check: noBlankItems,
  }),
  "requestheader-uid-headers": strings({
    since: "1.32",
    help: "Request headers with the user's UID, in the order in which they are tried. X-Remote-Uid is suggested. Needs the feature gate RemoteRequestHeaderUID.",
    check: noBlankItems,
  }),
  "requestheader-extra-headers-prefix": strings({
    help: "Prefixes of request headers with extra attributes of the user. X-Remote-Extra- is suggested.",
    check: noBlankItems,
  }),
  "proxy-client-cert-file": text({
    help: "File with the client certificate that the server presents to extension API servers and admission webhooks, signed by the CA of --requestheader-client-ca-file. When no front-proxy option is given, the server creates one at its first start.",
  }),
  "proxy-client-key-file": text({
    help: "File with the private key of --proxy-client-cert-file.",
  }),
});

function issuers(values: readonly string[], flag: string): string | undefined {
  const seen = new Set<string>();
  for (const value of values) {
    if (value === "") return `${flag} should not be an empty string`;
    if (value.includes(":") && !URL.canParse(value)) {
      return `${flag} ${JSON.stringify(value)} contained a ':' but was not a valid URL`;
    }
    if (seen.has(value)) return `${flag} ${JSON.stringify(value)} is already specified`;
    seen.add(value);
  }
  return undefined;
}

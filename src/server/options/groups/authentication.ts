import { signingAlgorithms } from "../../../access/authentication/oidc/signing-algorithms.js";
import { httpsUrl, noBlankItems, notNegative } from "../checks.js";
import { keyValue } from "../key-value-types.js";
import { optionGroup } from "../option.js";
import { bool, choice, choices, custom, duration, stringArray, strings, text } from "../value-types.js";

const hourMs = 3_600_000;

export const authentication = optionGroup("Authentication", {
  "anonymous-auth": bool({
    default: true,
    help: "Accept requests that no other method rejects, as user system:anonymous of group system:unauthenticated. Off, except for the health checks, with the authorization mode AlwaysAllow.",
  }),
  "client-ca-file": text({
    help: "File with CA certificates. A request with a client certificate signed by one of them is made by the user in its common name.",
  }),
  "token-auth-file": text({ help: "File with fixed bearer tokens and their users." }),
  "enable-bootstrap-token-auth": bool({
    help: "Accept the bootstrap tokens in secrets of the system namespace, with which nodes join.",
  }),
  "service-account-issuer": stringArray({
    help: "Issuer of service account tokens, a string or URI, best an https URL. May be repeated: the first one signs, all are accepted.",
    check: issuers,
  }),
  "service-account-key-file": stringArray({
    help: "File with PEM keys or certificates, RSA or ECDSA, that verify service account tokens. May be repeated. When not given, the key of --tls-private-key-file. Required with --service-account-signing-key-file.",
    check: noBlankItems,
  }),
  "service-account-signing-key-file": text({
    help: "File with the private key that signs service account tokens.",
  }),
  "service-account-signing-endpoint": text({
    since: "1.32",
    help: "Socket of a service that signs service account tokens and knows the keys that verify them: a path, or @NAME in the abstract namespace. Instead of --service-account-signing-key-file and --service-account-key-file.",
    check: (value, flag) =>
      value.startsWith("@") && !/^@([\w-]+\.)*[\w-]+$/.test(value)
        ? `${flag}: when prefixed with @ must be a valid abstract socket name`
        : undefined,
  }),
  "service-account-lookup": bool({
    default: true,
    help: "Accept service account tokens only while they exist in the store.",
  }),
  "service-account-max-token-expiration": duration({
    help: "Longest validity of a service account token; requests for longer ones get this.",
    check: (ms, flag) =>
      ms !== 0 && (ms < hourMs || ms > 2 ** 32 * 1000)
        ? `${flag} must be between 1 hour and 2^32 seconds`
        : undefined,
  }),
  "service-account-extend-token-expiration": bool({
    default: true,
    help: "Extend tokens injected by admission to as much as a year, whatever the longest validity.",
  }),
  "service-account-jwks-uri": text({
    help: "Address of the key set in the issuer's discovery document, instead of this server's own.",
    check: httpsUrl,
  }),
  "api-audiences": strings({
    help: "Audiences of the API: a service account token must be bound to one of them. When not given and an issuer is, the issuer.",
    check: noBlankItems,
  }),
  "service-account-api-audiences": strings({
    until: "1.25",
    deprecatedSince: "1.24",
    help: "Deprecated: another name of --api-audiences, to which it adds.",
    check: noBlankItems,
  }),
  "oidc-issuer-url": text({
    help: "OpenID Connect issuer, an https URL, whose ID tokens are accepted.",
    check: httpsUrl,
  }),
  "oidc-client-id": text({
    help: "Client ID that OpenID Connect tokens are for. Required with --oidc-issuer-url.",
  }),
  "oidc-ca-file": text({
    help: "File with the CA certificates that sign the issuer's certificate. When not given, those of the host.",
  }),
  "oidc-username-claim": text({
    default: "sub",
    help: "Claim that is the user name.",
  }),
  "oidc-username-prefix": text({
    help: "What user names are prefixed with; - for nothing. When not given, claims other than email are prefixed with the issuer.",
  }),
  "oidc-groups-claim": text({
    help: "Claim that holds the user's groups, a string or a list of strings.",
  }),
  "oidc-groups-prefix": text({ help: "What group names are prefixed with." }),
  "oidc-required-claim": custom(keyValue, {
    default: new Map(),
    help: "Claim and value that a token must have. May be repeated.",
  }),
  "oidc-signing-algs": choices(signingAlgorithms, {
    itemName: "signing algorithm",
    default: ["RS256"],
    help: "Signing algorithms to accept: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.",
  }),
  "authentication-config": text({
    since: "1.29",
    help: "File with an AuthenticationConfiguration: issuers of tokens, how their claims become users, and where anonymous requests are let in. Read again when it changes. Not together with the --oidc options. Needs the feature gate StructuredAuthenticationConfiguration.",
  }),
  "authentication-token-webhook-config-file": text({
    help: "Client configuration file for a remote service that verifies bearer tokens.",
  }),
  "authentication-token-webhook-cache-ttl": duration({
    default: "2m0s",
    help: "How long the token webhook's answers are kept.",
    check: notNegative,
  }),
  "authentication-token-webhook-version": choice(["v1beta1", "v1"], {
    default: "v1beta1",
    help: "Version of the TokenReview that the token webhook is sent.",
  }),
  "requestheader-client-ca-file": text({
    help: "File with the CA certificates of front proxies, whose identity headers are believed. When no option of front proxies is given, an authority made at the first start, for this server's own certificate.",
  }),
  "requestheader-allowed-names": strings({
    help: "Common names of front proxies. When empty, any with a valid certificate.",
    check: noBlankItems,
  }),
  "requestheader-username-headers": strings({
    help: "Headers that hold the user name, in order. X-Remote-User is common.",
    check: noBlankItems,
  }),
  "requestheader-group-headers": strings({
    help: "Headers that hold groups. X-Remote-Group is suggested.",
    check: noBlankItems,
  }),
  "requestheader-uid-headers": strings({
    since: "1.32",
    help: "Headers that hold the user's uid, in order. X-Remote-Uid is suggested. Needs the feature gate RemoteRequestHeaderUID.",
    check: noBlankItems,
  }),
  "requestheader-extra-headers-prefix": strings({
    help: "Prefixes of headers that hold other facts about the user. X-Remote-Extra- is suggested.",
    check: noBlankItems,
  }),
  "proxy-client-cert-file": text({
    help: "File with the client certificate for extension servers and admission webhooks, signed by the CA of --requestheader-client-ca-file. When no option of front proxies is given, one made at the first start.",
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

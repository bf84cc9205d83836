import { between, ipAddress, notNegative } from "../checks.js";
import { listenAddress, namedCertKeys } from "../network-values.js";
import { optionGroup } from "../option.js";
import { tlsCipherSuites } from "../tls-cipher-suites.js";
import { bool, choice, choices, custom, float, int, strings, text } from "../value-types.js";

export const serving = optionGroup("Serving, TLS and network", {
  "secure-port": int({
    default: 6443,
    help: "Port that serves HTTPS, with authentication and authorization.",
    check: between({ min: 1, max: 65535, hint: "It cannot be turned off with 0" }),
  }),
  "bind-address": custom(listenAddress, {
    default: "0.0.0.0",
    help: "Address to listen on. Empty, 0.0.0.0 and :: mean all interfaces.",
  }),
  "advertise-address": text({
    help: "Address under which the members of the cluster reach this server. When empty, the bind address; when that is all interfaces, the address of the host's default interface.",
    check: ipAddress,
  }),
  "external-hostname": text({
    help: "Host name in the URLs that the server publishes, as in API documents and discovery.",
  }),
  "cert-dir": text({
    default: (naming) => naming.certDirectory,
    help: "Directory for TLS certificates. Unused when a certificate file and a key file are given.",
  }),
  "tls-cert-file": text({
    help: "File with the certificate for HTTPS, CA certificates after the server's own. Without certificate and key files, a self-signed pair is created in the certificate directory.",
  }),
  "tls-private-key-file": text({ help: "File with the private key of --tls-cert-file." }),
  "tls-sni-cert-key": custom(namedCertKeys, {
    default: [],
    help: "Another certificate file and its key file, for the host names after an optional colon (a *. prefix and IP addresses are allowed) or else those in the certificate. May be repeated. Exact names win over wildcards, given names over those in a certificate. Example: foo.crt,foo.key:*.foo.com,foo.com",
  }),
  "tls-min-version": choice(["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"], {
    help: "Lowest TLS version to accept: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.",
  }),
  "tls-cipher-suites": choices(tlsCipherSuites, {
    itemName: "cipher suite",
    help: "Cipher suites to offer. When not given, the runtime chooses.",
  }),
  "tls-curve-preferences": strings({
    since: "1.36",
    help: "Key exchanges to offer, as numbers of the TLS registry: 29 (X25519), 23 (P-256), 24 (P-384), 25 (P-521), 4588 (X25519MLKEM768, where the runtime has it). Their order has no effect. When not given, the runtime chooses.",
    check: (values, flag) => {
      const wrong = values.find((value) => !/^\d{1,5}$/.test(value));
      return wrong === undefined
        ? undefined
        : `${flag}: ${JSON.stringify(wrong)} is no number of a key exchange`;
    },
  }),
  "strict-transport-security-directives": strings({
    help: "Directives of the Strict-Transport-Security header: max-age=SECONDS, includeSubDomains, preload. When empty, the header is not sent.",
    check: strictTransportSecurity,
  }),
  "cors-allowed-origins": strings({
    help: "Origins allowed to make cross-origin requests, each a regular expression. When empty, CORS is off.",
  }),
  "permit-address-sharing": bool({
    help: "Listen with SO_REUSEADDR, so that an address still held by closing connections can be bound. Node.js always does.",
  }),
  "permit-port-sharing": bool({
    help: "Listen with SO_REUSEPORT, so that several servers share one address and port. Node.js before 22.12 cannot set it: there, hand over a listening socket as systemd does (LISTEN_FDS; docs/store3.md).",
  }),
  "http2-max-streams-per-connection": int({
    help: "Limit of concurrent streams that HTTP/2 clients are told. 0 means 250.",
    check: notNegative,
  }),
  "disable-http2-serving": bool({
    since: "1.29",
    help: "Serve only HTTP/1.1: clients are not offered HTTP/2.",
  }),
  "goaway-chance": float({
    help: "Fraction of HTTP/2 requests answered with a GOAWAY, which makes clients connect anew and so spreads them over servers: at least 0 (off), at most 0.02; 0.001 is a good start. Not for a single server or one without a load balancer.",
    check: (value, flag) =>
      value < 0 || value > 0.02 ? `${flag} can not be less than 0 or greater than 0.02` : undefined,
  }),
  "max-connection-bytes-per-sec": int({
    help: "When not 0, throttles each user's connection to this rate, in each direction. Long-running requests that upgrade their connection only.",
    check: notNegative,
  }),
});

function strictTransportSecurity(directives: readonly string[], flag: string): string | undefined {
  const allowed = /^(max-age=[^=]*|includeSubDomains|preload|)$/;
  return directives.every((directive) => allowed.test(directive))
    ? undefined
    : `${flag} invalid, allowed values: max-age=expireTime, includeSubDomains, preload`;
}

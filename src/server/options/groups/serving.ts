import { between, ipAddress, notNegative } from "../checks.js";
import { listenAddress, namedCertKeys } from "../network-values.js";
import { optionGroup } from "../option.js";
import { tlsCipherSuites } from "../tls-cipher-suites.js";
import { bool, choice, choices, custom, float, int, strings, text } from "../value-types.js";

export const serving = optionGroup("Serving, TLS and network", {
  "secure-port": int({
    default: 6443,
    help: "Port for HTTPS, with authentication and authorization. Cannot be disabled.",
    check: between({ min: 1, max: 65535, hint: "It cannot be turned off with 0" }),
  }),
  "bind-address": custom(listenAddress, {
    default: "0.0.0.0",
    help: "Address to listen on. Empty, 0.0.0.0 and :: mean all interfaces.",
  }),
  "advertise-address": text({
    help: "Address at which members of the cluster reach this server. Defaults to --bind-address or, when that means all interfaces, to the address of the host's default interface.",
    check: ipAddress,
  }),
  "external-hostname": text({
    help: "Host name in URLs that the server publishes, for example in API documents and discovery.",
  }),
  "cert-dir": text({
    default: (naming) => naming.certDirectory,
    help: "Directory for TLS certificates. Ignored when --tls-cert-file and --tls-private-key-file are given.",
  }),
  "tls-cert-file": text({
    help: "File with the certificate for HTTPS, followed by any CA certificates. When neither it nor --tls-private-key-file is given, the server creates a self-signed certificate and key in --cert-dir.",
  }),
  "tls-private-key-file": text({ help: "File with the private key of --tls-cert-file." }),
  "tls-sni-cert-key": custom(namedCertKeys, {
    default: [],
    help: "Additional certificate and key file for some host names (SNI), as CERT,KEY or CERT,KEY:NAME,NAME. A name may start with *. or be an IP address. Without names, those in the certificate apply. Exact names take precedence over wildcards, and given names over those in certificates. May be repeated. Example: foo.crt,foo.key:*.foo.com,foo.com",
  }),
  "tls-min-version": choice(["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"], {
    help: "Minimum TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.",
  }),
  "tls-cipher-suites": choices(tlsCipherSuites, {
    itemName: "cipher suite",
    help: "TLS cipher suites to offer. Defaults to those of Node.js.",
  }),
  "tls-curve-preferences": strings({
    since: "1.36",
    help: "TLS key exchanges to offer, by their IANA numbers: 29 (X25519), 23 (P-256), 24 (P-384), 25 (P-521) and 4588 (X25519MLKEM768, where Node.js supports it). Order does not matter. Defaults to those of Node.js.",
    check: (values, flag) => {
      const wrong = values.find((value) => !/^\d{1,5}$/.test(value));
      return wrong === undefined
        ? undefined
        : `${flag}: ${JSON.stringify(wrong)} is not the number of a key exchange`;
    },
  }),
  "strict-transport-security-directives": strings({
    help: "Directives of the Strict-Transport-Security header: max-age=SECONDS, includeSubDomains and preload. Empty sends no header.",
    check: strictTransportSecurity,
  }),
  "cors-allowed-origins": strings({
    help: "Origins that may make cross-origin requests, each a regular expression. Empty disables CORS.",
  }),
  "permit-address-sharing": bool({
    help: "Listen with SO_REUSEADDR, which allows binding to an address that closing connections still hold. Has no effect, because Node.js always sets it.",
  }),
  "permit-port-sharing": bool({
    help: "Listen with SO_REUSEPORT, so that several servers can share one address and port. Node.js before 22.12 cannot set it; pass a listening socket instead, as systemd does (LISTEN_FDS, see docs/store3.md).",
  }),
  "http2-max-streams-per-connection": int({
    help: "Maximum number of concurrent streams per HTTP/2 connection. 0 means 250.",
    check: notNegative,
  }),
  "disable-http2-serving": bool({
    since: "1.29",
    help: "Serve only HTTP/1.1, and do not offer HTTP/2 to clients.",
  }),
  "goaway-chance": float({
    help: "Fraction of HTTP/2 requests that are answered with GOAWAY, from 0 (off) to 0.02; 0.001 is a good start. Clients then reconnect, which spreads them over the servers behind a load balancer. Do not use it for a single server, or without a load balancer.",
    check: (value, flag) =>
      value < 0 || value > 0.02 ? `${flag} can not be less than 0 or greater than 0.02` : undefined,
  }),
  "max-connection-bytes-per-sec": int({
    help: "Maximum bytes per second of each user's connection, in each direction. 0 means no limit. Applies only to long-running requests that upgrade their connection.",
    check: notNegative,
  }),
});

function strictTransportSecurity(directives: readonly string[], flag: string): string | undefined {
  const allowed = /^(max-age=[^=]*|includeSubDomains|preload|)$/;
  return directives.every((directive) => allowed.test(directive))
    ? undefined
    : `${flag} invalid, allowed values: max-age=expireTime, includeSubDomains, preload`;
}

/** Why a call got no answer. Error statuses are answers, which callers judge. */
export type RemoteFailure =
  /** The call timed out. */
  | "timeout"
  /** The caller's signal aborted. */
  | "aborted"
  /** Connecting failed: refused, unknown host, TLS. */
  | "connect"
  /** The connection ended before the answer was complete. */
  | "disconnected"
  /** The answer exceeds the caller's limit. */
  | "too-large"
  | "other";

/** A call without an answer. The message has the method and URL, in the words of Go's HTTP client, and no secret. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly failure: RemoteFailure;

  constructor(failure: RemoteFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** Translates an error of the HTTP library, TLS or the system into a `RemoteError`. */
export function toRemoteError(error: unknown, method: string, url: URL): RemoteError {
  if (error instanceof RemoteError) return error;
  const { failure, cause } = describeFailure(error, url);
  return new RemoteError(failure, failedCall(method, url, cause), { cause: error });
}

/** `Post "https://…": why`. */
export function failedCall(method: string, url: URL, why: string): string {
  const word = method.slice(0, 1) + method.slice(1).toLowerCase();
  return `${word} ${JSON.stringify(shown(url))}: ${why}`;
}

/** The URL without its password. For a service, which is called by name and port, always with the port. */
function shown(url: URL): string {
  const { hostname, port, href, username, password } = url;
  if (port === "" && url.protocol === "https:" && hostname.endsWith(".svc")) {
    return `https://${hostname}:443${url.pathname}${url.search}`;
  }
  if (username === "" && password === "") return href;
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy.href;
}

const authorityCodes = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_UNTRUSTED",
]);

/** As Go says since its version 1.20, with which the last releases of every level from 1.24 on are built. */
const unverified = "tls: failed to verify certificate: ";

/** The cause, without method and URL. */
export function describeFailure(
  error: unknown,
  url: URL,
): { readonly failure: RemoteFailure; readonly cause: string } {
  const { code = "", message } = asSystemError(error);
  const host = url.host;
  if (authorityCodes.has(code)) {
    return { failure: "connect", cause: `${unverified}x509: certificate signed by unknown authority` };
  }
  switch (code) {
    case "ECONNREFUSED":
      return { failure: "connect", cause: `dial tcp ${host}: connect: connection refused` };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { failure: "connect", cause: `dial tcp: lookup ${url.hostname}: no such host` };
    case "EHOSTUNREACH":
      return { failure: "connect", cause: `dial tcp ${host}: connect: no route to host` };
    case "ENETUNREACH":
      return { failure: "connect", cause: `dial tcp ${host}: connect: network is unreachable` };
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return { failure: "connect", cause: `${unverified}x509: certificate has expired or is not yet valid` };
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        failure: "connect",
        cause: `${unverified}x509: certificate is not valid for the name asked: ${message}`,
      };
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return { failure: "connect", cause: `dial tcp ${host}: i/o timeout` };
    case "ECONNRESET":
    case "EPIPE":
      return {
        failure: "disconnected",
        // Node.js' message for a connection that ends before an answer.
        cause: message === "socket hang up" ? "EOF" : "read: connection reset by peer",
      };
    case "UND_ERR_SOCKET":
      return { failure: "disconnected", cause: "EOF" };
    default:
      if (code.startsWith("ERR_HTTP2")) return { failure: "disconnected", cause: message };
      return { failure: code.startsWith("ERR_SSL") ? "connect" : "other", cause: message };
  }
}

function asSystemError(error: unknown): { readonly code?: string; readonly message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  // Several addresses were tried: report the first failure.
  if (error instanceof AggregateError && error.errors.length > 0) return asSystemError(error.errors[0]);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined && error.cause instanceof Error) return asSystemError(error.cause);
  return { ...(code !== undefined && { code }), message: error.message };
}

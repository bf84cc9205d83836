import { headerItems } from "../../apimachinery/requests/header-items.js";

/** A WebSocket client in a browser cannot set headers, so it sends its token as a subprotocol besides the one it wants. */
export interface WebSocketProtocols {
  readonly token: string | undefined;
  /** The subprotocols without the token. */
  readonly others: readonly string[];
}

/**
 * Reads a `Sec-WebSocket-Protocol` header. `prefix` is `base64url.bearer.authorization.` followed by the group domain and a dot. A token
 * without other subprotocols, a second token, or a malformed one does not count. Source: Kubernetes' `websocket` authenticator.
 */
export function readWebSocketProtocols(header: string, prefix: string): WebSocketProtocols {
  const all = headerItems(header).filter((name) => name !== "");
  const carriers = all.filter((name) => name.startsWith(prefix));
  const others = all.filter((name) => !name.startsWith(prefix));
  const [carrier, second] = carriers;
  if (carrier === undefined || second !== undefined || others.length === 0)
    return { token: undefined, others };
  return { token: decodeToken(carrier.slice(prefix.length)), others };
}

/** Base64url without padding, of UTF-8 without blanks, so that it fits a header. */
function decodeToken(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined;
  const token = Buffer.from(encoded, "base64url").toString("utf8");
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

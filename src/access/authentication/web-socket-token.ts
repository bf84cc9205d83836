import { headerItems } from "../../apimachinery/requests/header-items.js";

/** A WebSocket client in a browser cannot set headers, so it sends its token as a subprotocol besides the one it wants. */
export type WebSocketToken =
  | { readonly token: string; readonly problem?: undefined }
  /** Why the token cannot be read. */
  | { readonly token?: undefined; readonly problem: string };

const tokenProtocols = "base64url.bearer.authorization.";

/** The prefix of subprotocols that carry a token, in the profile of this group domain. */
export function tokenProtocolPrefix(groupDomain: string): string {
  return `${tokenProtocols}${groupDomain}.`;
}

/**
 * The token in a `Sec-WebSocket-Protocol` header; undefined without one. `prefix` is that of `tokenProtocolPrefix`. Source:
 * Kubernetes' `websocket` authenticator.
 */
export function readWebSocketToken(header: string, prefix: string): WebSocketToken | undefined {
  const all = headerItems(header).filter((name) => name !== "");
  const [carrier, second] = all.filter((name) => name.startsWith(prefix));
  if (carrier === undefined) return undefined;
  if (second !== undefined) return { problem: "multiple base64.bearer.authorization tokens specified" };
  const encoded = carrier.slice(prefix.length);
  if (encoded === "") return undefined;
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) {
    return { problem: "invalid base64.bearer.authorization token encoding" };
  }
  const token = Buffer.from(encoded, "base64url").toString("utf8");
  // It is used like a header, so it must not contain anything else.
  if (!/^[\x21-\x7e]+$/.test(token)) return { problem: "invalid base64.bearer.authorization token" };
  return all.length === 1 ? { problem: "missing additional subprotocol" } : { token };
}

/** Whether a subprotocol carries a token, in either profile: it must be neither accepted nor forwarded. */
export function isTokenProtocol(subprotocol: string): boolean {
  return subprotocol.startsWith(tokenProtocols);
}

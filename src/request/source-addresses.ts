import { parseIp } from "../apimachinery/validation/ip-addresses.js";
import { ipText } from "../apimachinery/values/ip-text.js";
import type { RequestOrigin } from "./request-origin.js";

/** No real request passes more proxies; further addresses are forged and ignored. */
const forwardedMax = 100;

/**
 * The source of a request, the client first: `X-Forwarded-For`, `X-Real-Ip` unless it is among those, and the peer of the connection,
 * the only one that cannot be made up. Source: kube-apiserver 1.23, audit `sourceIPs`.
 */
export function sourceAddresses(
  origin: Pick<RequestOrigin, "headers" | "headerValues" | "connection">,
): readonly string[] {
  const { headers, connection } = origin;
  // One array for all requests of a peer.
  if (headers["x-forwarded-for"] === undefined && headers["x-real-ip"] === undefined) {
    return peerAddress(connection.remoteAddress);
  }
  const [forwarded = ""] = origin.headerValues("x-forwarded-for");
  const addresses = forwarded === "" ? [] : forwarded.split(",", forwardedMax).flatMap(addressOf);
  const [real = ""] = origin.headerValues("x-real-ip");
  if (real !== "")
    for (const address of addressOf(real)) if (!addresses.includes(address)) addresses.push(address);
  for (const address of peerAddress(connection.remoteAddress)) {
    if (addresses.at(-1) !== address) addresses.push(address);
  }
  return addresses;
}

/** Peers send many requests, and parsing an address takes as long as printing the rest of an audit event. */
const peers = new Map<string, readonly string[]>();
const peersMax = 1000;

function peerAddress(remote: string): readonly string[] {
  let address = peers.get(remote);
  if (address === undefined) {
    address = addressOf(remote);
    if (peers.size >= peersMax) peers.clear();
    peers.set(remote, address);
  }
  return address;
}

/** Empty for anything but an address. */
function addressOf(text: string): string[] {
  const bytes = parseIp(text.trim());
  return bytes === undefined ? [] : [ipText(bytes)];
}

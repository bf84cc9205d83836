import type { IncomingMessage } from "node:http";
import { stemOf } from "../../naming/qualified-names.js";
import { type ForwardedHeaders, rawPairs } from "./forward-headers.js";

/** Prefix of the port-forwarding protocol's name when it is tunnelled in a WebSocket. */
export const tunnelPrefix = "SPDY/3.1+";
export const protocolHeader = "x-stream-protocol-version";
/** The protocol inside a tunnel, if this subprotocol is a tunnel. */
export function tunnelled(subprotocol: string): string[] {
  if (!subprotocol.startsWith(tunnelPrefix)) return [];
  const name = subprotocol.slice(tunnelPrefix.length);
  return stemOf(name) === undefined ? [] : [name];
}

/** Headers that request SPDY instead of a WebSocket. */
export function spdyHeaders(given: ForwardedHeaders, protocols: readonly string[]): ForwardedHeaders {
  const kept = Object.entries(given).filter(([name]) => !name.startsWith("sec-websocket-"));
  return {
    ...Object.fromEntries(kept),
    connection: "Upgrade",
    upgrade: "SPDY/3.1",
    [protocolHeader]: [...protocols],
  };
}

/** The raw head of an answer to an upgrade. */
export function switchingProtocols(response: IncomingMessage): string {
  const lines = [...rawPairs(response)].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`;
}

export function setHeader(headers: Record<string, string[]>, name: string, value: string): void {
  const found = Object.keys(headers).find((each) => each.toLowerCase() === name) ?? name;
  headers[found] = [value];
}

import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { tlsTrust } from "../../remote/tls-trust.js";

/** A forward proxy that opens connections on request (`CONNECT`, RFC 9110 §9.3.6). */
export interface TunnelProxy {
  /** Path of a Unix socket, or host and port. */
  readonly at: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  /** PEM. Undefined for an unencrypted proxy. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
}

/** Where opening a tunnel failed: on the way to the proxy, or when the proxy was asked. */
export type TunnelStage = "connect" | "proxy";

/**
 * A connection to `target` through the proxy. Rejects when the proxy cannot be reached or refuses, and with the signal's reason; the
 * signal has no effect once the connection is open. `failed` is called before it rejects.
 */
export function openTunnel(
  proxy: TunnelProxy,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
  failed: (stage: TunnelStage) => void = () => {},
): Promise<Duplex> {
  const authority = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`;
  const options: RequestOptions = {
    ...proxy.at,
    ...proxy.tls,
    ...tlsTrust(proxy.tls?.ca),
    method: "CONNECT",
    path: authority,
    headers: { host: authority },
    // The proxy's own name; otherwise Node.js takes the target's from the Host header.
    ...("host" in proxy.at && { servername: isIP(proxy.at.host) === 0 ? proxy.at.host : "" }),
    agent: false,
    signal,
  };
  return new Promise((resolve, reject) => {
    const call = proxy.tls === undefined ? httpRequest(options) : httpsRequest(options);
    let stage: TunnelStage = "connect";
    call.once("socket", (socket) =>
      socket.once(proxy.tls === undefined ? "connect" : "secureConnect", () => {
        stage = "proxy";
      }),
    );
    call.once("connect", (response, socket, head) => {
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      failed(stage);
      reject(new Error(`proxy error while dialing ${authority}, code ${response.statusCode}`));
    });
    call.once("error", (error) => {
      failed(stage);
      reject(
        signal.aborted
          ? signal.reason
          : new Error(`dialing the proxy to ${authority}: ${error.message}`, { cause: error }),
      );
    });
    call.end();
  });
}

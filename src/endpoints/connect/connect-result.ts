import type { StatusError } from "../../apimachinery/status.js";
import type { PassingClient } from "../../remote/passing-client.js";

/** Who a request is handed to. */
export interface ConnectTarget {
  readonly protocol: "http" | "https";
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: ConnectTls;
  /** Until the connection stands, TLS included; 0 waits as long as the system does. */
  readonly connectTimeoutMs: number;
  /** The name that the certificate must have, where that is not the host. */
  readonly serverName?: string | undefined;
  /** Sends requests over connections that are kept and shared. Without it, and for upgrades, each request has a connection of its own. */
  readonly client?: Pick<PassingClient, "stream"> | undefined;
}

export interface ConnectTls {
  /** False takes any certificate. */
  readonly verify: boolean;
  /** PEM; the system's authorities when undefined. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The answer comes from elsewhere; `serving/` passes it on. */
export type ConnectResult = { readonly kind: "connect" } & (
  | StreamConnect
  | ProxyConnect
  | DownloadConnect
  /** Nothing to connect to, and nothing wrong with that: 204. */
  | { readonly mode: "nothing" }
);

/** A connection that becomes another protocol: a request that does not ask for that is refused with 400. */
export interface StreamConnect {
  readonly mode: "stream";
  readonly target: ConnectTarget;
  /** Path and query. */
  readonly path: string;
}

/** The client's own request, upgrades included, to another server. */
export interface ProxyConnect {
  readonly mode: "proxy";
  readonly target: ConnectTarget;
  /** Decoded, without query; empty when the client named none, not even `/`. */
  readonly path: string;
}

/** A request of this server's own, whose body is the answer. */
export interface DownloadConnect {
  readonly mode: "download";
  readonly target: ConnectTarget;
  /** Path and query. */
  readonly path: string;
  readonly contentType: string;
  /** What the client is told when the other side answers with an error; `text` is the start of its body. */
  refusal(code: number, text: string): StatusError;
}

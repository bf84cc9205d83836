import type { StatusError } from "../../apimachinery/errors/status.js";
import type { PassingClient } from "../../remote/passing-client.js";

/** Where a request is forwarded to. */
export interface ConnectTarget {
  readonly protocol: "http" | "https";
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: ConnectTls;
  /** Time limit to connect, including TLS; 0 leaves it to the system. */
  readonly connectTimeoutMs: number;
  /** The name to expect in the certificate, if that is not the host. */
  readonly serverName?: string | undefined;
  /** Sends requests over pooled connections. Without it, and for upgrades, each request gets its own connection. */
  readonly client?: Pick<PassingClient, "stream"> | undefined;
}

export interface ConnectTls {
  /** False accepts any certificate. */
  readonly verify: boolean;
  /** PEM; the system's authorities when undefined. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The answer comes from another server; `serving/` forwards it. */
export type ConnectResult = { readonly kind: "connect" } & (
  | StreamConnect
  | ProxyConnect
  | DownloadConnect
  /** There is no upstream, which is not an error: 204. */
  | { readonly mode: "nothing" }
);

/** A connection that changes protocol. A request that does not ask for that is refused with 400. */
export interface StreamConnect {
  readonly mode: "stream";
  readonly target: ConnectTarget;
  /** Path and query. */
  readonly path: string;
  /** Translates for WebSocket clients of an upstream that only speaks SPDY. Without it, everything is passed on unchanged. */
  readonly translation?: StreamTranslationKind | undefined;
  /** For the metrics of WebSockets; undefined where none are counted. */
  readonly subresource?: string | undefined;
}

export type StreamTranslationKind =
  | { readonly kind: "containers"; readonly flags: ContainerStreamFlags }
  | { readonly kind: "ports" };

/** The streams of a container that a client asks for. */
export interface ContainerStreamFlags {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The client's own request, upgrades included, sent to another server. */
export interface ProxyConnect {
  readonly mode: "proxy";
  readonly target: ConnectTarget;
  /** Decoded, without query; empty when the client named no path, not even `/`. */
  readonly path: string;
}

/** A request of this server, whose body is the answer. */
export interface DownloadConnect {
  readonly mode: "download";
  readonly target: ConnectTarget;
  /** Path and query. */
  readonly path: string;
  readonly contentType: string;
  /** The client's error if the upstream answers with one. `text` is the start of its body. */
  refusal(code: number, text: string): StatusError;
  /** The upstream's certificate was not accepted. */
  distrusted?(): void;
}

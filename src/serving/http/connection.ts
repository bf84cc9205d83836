import type { TLSSocket } from "node:tls";
import type { PeerCertificates } from "./exchange.js";
import { readPeerCertificates } from "./peer-certificates.js";

/** Tells whether the server accepts no more requests. */
export interface ServerState {
  readonly closing: boolean;
}

/** State shared by the requests of one TLS connection. */
export class Connection {
  readonly socket: TLSSocket;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly server: ServerState;
  /** Requests not fully answered yet. */
  requests = 0;
  #peerCertificates: PeerCertificates | undefined | "unread" = "unread";

  constructor(socket: TLSSocket, server: ServerState) {
    this.socket = socket;
    // Each pipelined request listens for its end.
    socket.setMaxListeners(0);
    this.server = server;
    // A dual-stack socket shows IPv4 clients as ::ffff:a.b.c.d; Go prints the IPv4 address.
    const address = socket.remoteAddress ?? "";
    this.remoteAddress = address.startsWith("::ffff:") ? address.slice(7) : address;
    this.remotePort = socket.remotePort ?? 0;
  }

  get peerCertificates(): PeerCertificates | undefined {
    if (this.#peerCertificates === "unread") this.#peerCertificates = readPeerCertificates(this.socket);
    return this.#peerCertificates;
  }
}

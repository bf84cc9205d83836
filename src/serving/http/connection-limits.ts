/** How long a connection may be in each of its states, and how many there may be. */
export interface ConnectionLimits {
  /** For the TLS handshake, for the HTTP/2 preface, and from a request's first byte to the end of its headers. */
  readonly headerTimeoutMs: number;
  /** Without a request in progress. */
  readonly idleTimeoutMs: number;
  /** HTTP/2: without a byte from the client, which is sent a ping after half of it. */
  readonly silenceTimeoutMs: number;
  /** HTTP/2: of frames that belong to no request. Pings, settings and the like are a few bytes. */
  readonly strayBytesPerSecondMax: number;
  /** Open at once, including unfinished handshakes. */
  readonly connectionsMax: number;
}

/**
 * The times are those of kube-apiserver (`pkg/server/secure_serving.go`), but for `silenceTimeoutMs`: clients in Go send pings of their
 * own after 30 s, so they get none.
 */
export const defaultConnectionLimits: ConnectionLimits = {
  headerTimeoutMs: 32_000,
  idleTimeoutMs: 90_000,
  silenceTimeoutMs: 90_000,
  strayBytesPerSecondMax: 1024 * 1024,
  connectionsMax: 10_000,
};

/** How long a connection may be in each of its states, and how many there may be. */
export interface ConnectionLimits {
  /** For the TLS handshake, for the HTTP/2 preface, and from a request's first byte to the end of its headers. */
  readonly headerTimeoutMs: number;
  /** Time without a request in progress. */
  readonly idleTimeoutMs: number;
  /** HTTP/2: time without a byte from the client, which gets a ping after half of it. */
  readonly silenceTimeoutMs: number;
  /** HTTP/2: bytes of frames other than requests and bodies, such as pings and settings, of which normal clients send few. */
  readonly strayBytesPerSecondMax: number;
  /** Connections open at once, including unfinished handshakes. */
  readonly connectionsMax: number;
}

/**
 * The times are those of kube-apiserver (`pkg/server/secure_serving.go`), except `silenceTimeoutMs`: Go clients send their own pings after
 * 30 s, and so are not pinged.
 */
export const defaultConnectionLimits: ConnectionLimits = {
  headerTimeoutMs: 32_000,
  idleTimeoutMs: 90_000,
  silenceTimeoutMs: 90_000,
  strayBytesPerSecondMax: 1024 * 1024,
  connectionsMax: 10_000,
};

/** A silent connection is probed after this time, to detect that its client is gone. */
export const tcpKeepAliveMs = 180_000;

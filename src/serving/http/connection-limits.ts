/** For how long a connection may be in each of its states, and how many there may be. */
export interface ConnectionLimits {
  /** From its start to the end of the TLS handshake, to the HTTP/2 preface, and from a request's first byte to the end of its headers. */
  readonly headerTimeoutMs: number;
  /** Without a request that is not yet answered in full. */
  readonly idleTimeoutMs: number;
  /** Open at once, unfinished handshakes included. */
  readonly connectionsMax: number;
}

/** The times are those of kube-apiserver (`pkg/server/secure_serving.go`). */
export const defaultConnectionLimits: ConnectionLimits = {
  headerTimeoutMs: 32_000,
  idleTimeoutMs: 90_000,
  connectionsMax: 10_000,
};

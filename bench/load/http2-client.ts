import { type ClientHttp2Session, connect } from "node:http2";
import type { ConnectionOptions } from "node:tls";
import type { Answer, Target } from "./http1-client.js";

/** Streams of one HTTP/2 connection; `stream()` gives a client that takes one request at a time. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #credentials: Readonly<Record<string, string>>;

  private constructor(session: ClientHttp2Session, { tokens: [token] = [] }: Target) {
    this.#session = session;
    this.#credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  static open(target: Target): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const { host, port } = target;
      const session = connect(`https://${host}:${port}`, tlsOf(target));
      session.once("connect", () => resolve(new Http2Connection(session, target)));
      session.once("error", reject);
    });
  }

  request(method: string, path: string, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(
        {
          ":method": method,
          ":path": path,
          ...this.#credentials,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        { endStream: body === undefined },
      );
      let status = 0;
      let bodyBytes = 0;
      let firstByteAt = 0;
      stream.on("response", (headers) => {
        firstByteAt = performance.now();
        status = headers[":status"] ?? 0;
      });
      stream.on("data", (bytes: Buffer) => {
        bodyBytes += bytes.length;
      });
      stream.on("end", () => resolve({ status, bodyBytes, firstByteAt }));
      stream.on("error", reject);
      if (body !== undefined) stream.end(body);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** How to connect to the server. */
export function tlsOf({ ca, cert, key, insecure }: Target): ConnectionOptions {
  return {
    ...(ca !== "" && { ca }),
    ...(cert !== undefined && { cert, key }),
    rejectUnauthorized: insecure !== true,
  };
}

import { type ClientHttp2Session, connect } from "node:http2";
import type { Answer, Target } from "./http1-client.js";

/** Streams of one HTTP/2 connection; `stream()` gives a client that takes one request at a time. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static open(target: Target): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const { host, port, ca, cert, key } = target;
      const session = connect(`https://${host}:${port}`, { ca, cert, key });
      session.once("connect", () => resolve(new Http2Connection(session)));
      session.once("error", reject);
    });
  }

  request(method: string, path: string, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(
        {
          ":method": method,
          ":path": path,
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

import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";

/** A node:http2 server that answers every request at once with a fixed body: the cost of the runtime alone. */
export interface BarePeerJob {
  readonly cert: string;
  readonly key: string;
  readonly answerBytes: number;
}

process.once("message", ({ cert, key, answerBytes }: BarePeerJob) => {
  const body = Buffer.alloc(answerBytes, "x");
  const head = { "content-type": "application/json", "content-length": answerBytes };
  const server = createSecureServer({ cert, key, allowHTTP1: true });
  server.on("request", (_request, response) => {
    response.writeHead(200, head);
    response.end(body);
  });
  // The listener above also makes the library offer HTTP/2 streams as such requests, which costs more than answering them.
  server.removeAllListeners("stream");
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200, ...head });
    stream.end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo; // a TCP server that listens
    process.send?.(port);
  });
});
process.once("disconnect", () => process.exit(0));

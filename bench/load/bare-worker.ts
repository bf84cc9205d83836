import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A server that answers at once: its latency is what the machine and the load cost any server. */
export interface BareJob {
  /** PEM texts; without them the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly answerBytes: number;
}

process.once("message", ({ tls, answerBytes }: BareJob) => {
  const body = Buffer.alloc(answerBytes, "x");
  const answer: RequestListener = (_request, response) => response.end(body);
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo; // a TCP server that listens
    process.send?.(port);
  });
});
process.once("disconnect", () => process.exit(0));

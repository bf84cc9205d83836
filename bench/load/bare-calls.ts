import { Agent, request } from "node:https";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { isMainThread } from "node:worker_threads";

/** The first line of a connection; each further line requests a call. */
export interface BareCall {
  readonly url: string;
  readonly caPem: string;
  readonly body: string;
}

/**
 * Loaded into a server's process before the server itself (`NODE_OPTIONS=--import`). Sends the request that the server sends to a webhook,
 * over a keep-alive connection, without the server's own work. Listens on the Unix socket `BARE_CALLS`, and answers each line with the
 * milliseconds that the call took.
 */
const path = process.env.BARE_CALLS;
if (isMainThread && path !== undefined) createServer(serve).listen(path).unref();

function serve(socket: Socket): void {
  let call: (() => Promise<number>) | undefined;
  createInterface({ input: socket }).on("line", (line) => {
    if (call === undefined) call = callerOf(JSON.parse(line));
    else void call().then((ms) => socket.write(`${ms}\n`));
  });
}

function callerOf({ url, caPem, body }: BareCall): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: caPem });
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  return () =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const asked = request(url, { method: "POST", agent, headers }, (answer) => {
        answer.setEncoding("utf8");
        let text = "";
        answer.on("data", (piece: string) => {
          text += piece;
        });
        answer.on("end", () => {
          JSON.parse(text);
          resolve(performance.now() - began);
        });
      });
      asked.on("error", reject);
      asked.end(body);
    });
}

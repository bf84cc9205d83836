import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import type { PassingClient } from "../../remote/passing-client.js";
import { RemoteError } from "../../remote/remote-error.js";
import type { HttpExchange, ResponseHeaders, ResponseStream } from "../http/exchange.js";
import type { AnswerPassing } from "./answer-passing.js";
import type { Call } from "./upstream-call.js";

/** How much of another server's error is passed on. */
const refusalBytesMax = 50_000;

/** Forwards the client's request over a pooled connection, and the answer to it. */
export async function passThrough(
  client: Pick<PassingClient, "stream">,
  answer: AnswerPassing,
  exchange: HttpExchange,
  { headers, signal, failed }: Pick<Call, "headers" | "signal" | "failed">,
): Promise<void> {
  const source = hasBody(exchange) ? exchange.bodyStream() : undefined;
  // The library destroys the body of a failed request, which would also destroy the client's connection before it is answered.
  const body = source?.pipe(new PassThrough());
  try {
    await client.stream({ method: exchange.method, target: exchange.target, headers, body, signal }, answer);
    answer.end();
  } catch (error) {
    if (answer.hasBegun) return answer.abort();
    if (source !== undefined) {
      exchange.closeAfterResponse();
      source.resume();
    }
    throw error instanceof RemoteError ? failed(error.message) : error;
  }
}

/** Forwards the rest of an answer as fast as the client takes it. */
export async function passBody(
  exchange: HttpExchange,
  response: IncomingMessage,
  status: number,
  headers: ResponseHeaders,
): Promise<void> {
  const stream: ResponseStream = exchange.startStream(status, headers);
  stream.flushHeaders();
  try {
    for await (const chunk of response) {
      if (!stream.write(chunk)) await stream.drained();
      if (stream.closed) break;
    }
  } catch {
    // One side aborted: the client must see that the answer is incomplete.
    return stream.abort();
  }
  stream.end();
}

export async function startOfBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= refusalBytesMax) break;
    }
  } catch {
    // Part of the error text is better than none.
  }
  return Buffer.concat(chunks).subarray(0, refusalBytesMax).toString("utf8");
}

export function hasBody(exchange: HttpExchange): boolean {
  const { headers, httpVersion, method } = exchange;
  const length = headers["content-length"];
  if (length !== undefined) return Number(length) > 0;
  if (headers["transfer-encoding"] !== undefined) return true;
  return httpVersion === "2.0" && !["GET", "HEAD", "DELETE", "OPTIONS"].includes(method);
}

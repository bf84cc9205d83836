import { type ServerResponse, STATUS_CODES } from "node:http";

/** A record of TLS: more would be copied twice. */
const smallMax = 16 * 1024;
/** Would end a header line, or lose bits in its encoding. */
const unfitForHeader = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * A whole answer of HTTP/1.1 that leaves its connection open. `headers` are names and values in turn, without `Date`. Undefined when the
 * answer is too large, or a header is not fit to be sent: node:http knows what to do.
 */
export function smallAnswer(
  status: number,
  headers: readonly string[],
  body: Uint8Array | string,
  bodyBytes: number,
): Buffer | undefined {
  if (bodyBytes > smallMax) return undefined;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
  let sent = "";
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string; // within the list
    const value = headers[i + 1] as string; // likewise
    sent += name + value;
    head += `${name}: ${value}\r\n`;
  }
  head += dateLine();
  if (head.length + bodyBytes > smallMax || unfitForHeader.test(sent)) return undefined;
  const answer = Buffer.allocUnsafe(head.length + bodyBytes);
  answer.write(head, "latin1");
  if (typeof body === "string") answer.write(body, head.length, "utf8");
  else answer.set(body, head.length);
  return answer;
}

/**
 * Sends it past `response`, whose turn it is and which has sent nothing. node:http would hand head, body and end to the socket one by one,
 * and check each header: a tenth of a get. It goes on with the next request of the connection when its response says that it is finished.
 */
export function sendSmallAnswer(response: ServerResponse, answer: Buffer): void {
  response.socket?.write(answer, (error) => {
    if (error == null) response.emit("finish");
  });
}

let line = "";
/** By `performance.now`. */
let lineUntilMs = 0;

/** The last line of a head, made anew each second. */
function dateLine(): string {
  const nowMs = performance.now();
  if (nowMs >= lineUntilMs) {
    const now = new Date();
    line = `Date: ${now.toUTCString()}\r\n\r\n`;
    lineUntilMs = nowMs + 1000 - now.getMilliseconds();
  }
  return line;
}

import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface ConnectionAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  readonly text: string;
}

/** Sends requests one after the other over the same HTTP/1.1 connection. */
export class OneConnection {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, tls: { readonly ca: string; readonly cert?: string; readonly key?: string }) {
    this.#url = url;
    this.#agent = new Agent({ ...tls, keepAlive: true, maxSockets: 1 });
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ConnectionAnswer> {
    const response = await this.open(method, path, body, headers);
    const answer = await text(response);
    const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: isJson ? JSON.parse(answer) : undefined,
      text: answer,
    };
  }

  /** Resolves when the response begins. Later requests wait until it ends. */
  open(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const type = sent !== undefined && { "content-type": "application/json" };
      const call = this.begin(method, path, { ...type, ...headers });
      call.once("response", resolve);
      call.on("error", reject);
      call.end(sent);
    });
  }

  /** A request whose body the caller sends. */
  begin(method: string, path: string, headers: Readonly<Record<string, string>>): ClientRequest {
    return request(`${this.#url}${path}`, { agent: this.#agent, method, headers });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The lines of an answer up to the one that contains `last`; does not wait for the rest. */
export async function linesUntil(answer: IncomingMessage, last: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface(answer)) {
    lines.push(line);
    if (line.includes(last)) break;
  }
  answer.destroy();
  return lines;
}
